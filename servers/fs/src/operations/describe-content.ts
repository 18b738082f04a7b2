import { createHash } from 'node:crypto';

import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled, type OpenFile } from '@org/mcp-roots';

import { detectEncoding } from '../text/encoding.ts';
import { kindOf, KIND_SAMPLE, type Kind } from '../text/kind.ts';
import { endOfLines, endsLine, lineEndsOf } from '../text/line-ends.ts';
import { readAhead } from '../text/read-ahead.ts';

/** What a file holds. */
export interface Content extends Kind {
  readonly sha256?: string;
  readonly lineCount?: number;
}

interface Wanted {
  /** As the caller spelled it, for messages. */
  readonly given: string;
  readonly hash: boolean;
  readonly lineCount: boolean;
  /** Of a larger file nothing is counted. */
  readonly maxBytes: number;
  readonly context: Pick<RequestContext, 'signal' | 'progress'>;
}

/**
 * Says what a file holds; what it takes reading all of it for only where that is wanted.
 *
 * @throws ToolError TOO_LARGE
 */
export async function describeContent(file: OpenFile, wanted: Wanted): Promise<Content> {
  const sample = await file.readAt(0, KIND_SAMPLE);
  const isWhole = sample.length < KIND_SAMPLE;
  const kind = await kindOf(sample, isWhole, file.shown);
  if (!wanted.hash && !wanted.lineCount) return kind;
  return { ...kind, ...(await readThrough(file, detectEncoding(sample, isWhole) ?? 'utf-8', wanted)) };
}

async function readThrough(
  file: OpenFile,
  encoding: Parameters<typeof lineEndsOf>[0],
  { given, hash, lineCount, maxBytes, context }: Wanted,
): Promise<Omit<Content, keyof Kind>> {
  if (file.size > maxBytes) throw tooLarge(given, file.size, maxBytes);
  const ends = lineEndsOf(encoding);
  const digest = createHash('sha256');
  let lines = 0;
  let bytes = 0;
  let isEnded = true;
  for await (const chunk of readAhead(file, { until: maxBytes, signal: context.signal })) {
    if (hash) digest.update(chunk);
    if (lineCount) lines += endOfLines(chunk, Number.POSITIVE_INFINITY, ends).lines;
    isEnded = endsLine(chunk, ends);
    bytes += chunk.length;
    context.progress(bytes, file.size);
  }
  return { ...(hash && { sha256: digest.digest('hex') }), ...(lineCount && { lineCount: lines + (isEnded ? 0 : 1) }) };
}

function tooLarge(given: string, bytes: number, maxBytes: number): ToolError {
  return new ToolError('TOO_LARGE', `${spelled(given)} has ${bytes} bytes; at most ${maxBytes} are hashed or counted`, {
    hint: '--max-hash-bytes raises the limit',
  });
}
