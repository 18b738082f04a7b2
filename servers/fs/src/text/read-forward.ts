import { ToolError } from '@org/mcp-decorators';

import { endOfCharacters, type Encoding } from './encoding.ts';
import { countLines, endOfLines, endsLine, isHole, lineEndsOf } from './line-ends.ts';
import { readAhead } from './read-ahead.ts';
import { skipLines } from './skip-lines.ts';
import type { Source } from './source.ts';
import { WantedLines } from './wanted-lines.ts';
import type { LineRange, Window, WindowOptions } from './window.ts';

/** Reads lines of a source after those before an offset. */
export async function readForward(
  source: Source,
  { offset, skipBytes = 0, limit = Number.POSITIVE_INFINITY }: Extract<LineRange, { readonly from: 'start' }>,
  { maxBytes, maxLineBytes, encoding = 'utf-8', signal }: WindowOptions,
): Promise<Window> {
  const ends = lineEndsOf(encoding);
  const { position: start, lines: skipped } = await skipLines(source, offset, { ends, signal });
  const position = await placeInLine(source, { start, skipBytes, encoding, signal });
  const found = new WantedLines({ limit, maxBytes, maxLineBytes, encoding });
  for await (const chunk of readAhead(source, { from: position, until: position + found.reach, signal })) {
    if (!found.add(chunk)) break;
  }
  const bytes = found.finish();
  const { hasMore, cutLines } = found;
  const lines = countLines(bytes, ends);
  const cut = found.isOver && !endsLine(bytes, ends);
  return {
    bytes,
    position,
    startLine: skipped + 1,
    lines,
    totalLines: hasMore ? undefined : skipped + lines,
    truncated: hasMore,
    cut,
    cutLines,
    ...nextOf({ hasMore, cut, skipped, lines }, skipBytes + bytes.length),
  };
}

type Read = { readonly hasMore: boolean; readonly cut: boolean; readonly skipped: number; readonly lines: number };

/** Where to read on. A line is cut only if it is the first. */
function nextOf({ hasMore, cut, skipped, lines }: Read, known: number): Pick<Window, 'nextOffset' | 'nextSkipBytes'> {
  if (cut) return { nextOffset: skipped, nextSkipBytes: known };
  return { nextOffset: hasMore ? skipped + lines : undefined };
}

interface Place {
  /** Where the line begins. */
  readonly start: number;
  readonly skipBytes: number;
  readonly encoding: Encoding;
  readonly signal: AbortSignal;
}

/** @throws ToolError INVALID_ARGUMENTS if the line ends before that place, or the place is inside a character */
async function placeInLine(source: Source, { start, skipBytes, encoding, signal }: Place): Promise<number> {
  if (skipBytes === 0) return start;
  const place = start + skipBytes;
  const ends = lineEndsOf(encoding);
  let position = start;
  let begun: Uint8Array = new Uint8Array();
  for await (const chunk of readAhead(source, { from: start, until: place, signal })) {
    if (isHole(chunk) || endOfLines(chunk, 1, ends).lines > 0) break;
    position += chunk.length;
    begun = begunCharacter(begun, chunk, encoding);
  }
  if (position === place && begun.length === 0) return place;
  if (position === place)
    throw new ToolError('INVALID_ARGUMENTS', `skipBytes: byte ${skipBytes} of the line is inside a character`, {
      hint: `the character begins at byte ${skipBytes - begun.length}`,
    });
  throw new ToolError('INVALID_ARGUMENTS', `skipBytes: the line has fewer than ${skipBytes} bytes`, {
    hint: 'a read that cuts a line names the offset and skipBytes to read on',
  });
}

/** Returns the bytes of a character that has begun in a chunk and does not end there. */
function begunCharacter(begun: Uint8Array, chunk: Uint8Array, encoding: Encoding): Uint8Array {
  const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
  // The chunk's buffer is reused.
  return Uint8Array.from(bytes.subarray(endOfCharacters(bytes, encoding)));
}
