import { pathToFileURL } from 'node:url';

import { ToolError } from '@org/mcp-decorators';
import { quotePath, type OpenFile } from '@org/mcp-roots';

import { readChunks } from './read-chunks.ts';

/** Limit and options of the read of a whole file. */
export interface WholeFileRequest {
  /** Maximum size of the file, in bytes. */
  readonly maxBytes: number;
  /** Advice for the caller if the file is larger. */
  readonly hint: string;
  readonly signal: AbortSignal;
}

/**
 * Reads a whole file.
 *
 * @param given path for the error message
 * @throws ToolError TOO_LARGE for a larger file; the error data contain the URI of the file, so that programs can read the
 * file in another way; the signal's reason
 */
export async function readWholeFile(
  file: OpenFile,
  given: string,
  { maxBytes, hint, signal }: WholeFileRequest,
): Promise<Buffer> {
  if (file.size > maxBytes) throw tooLarge(file, given, { maxBytes, hint });
  const parts: Buffer[] = [];
  for await (const chunk of readChunks(file, { until: maxBytes + 1, signal })) parts.push(Buffer.from(chunk));
  const content = Buffer.concat(parts);
  if (content.length > maxBytes) throw tooLarge(file, given, { maxBytes, hint });
  return content;
}

export function toFileUri({ shown }: Pick<OpenFile, 'shown'>): string {
  return pathToFileURL(shown).href;
}

function tooLarge(file: OpenFile, given: string, { maxBytes, hint }: Pick<WholeFileRequest, 'maxBytes' | 'hint'>): ToolError {
  return new ToolError('TOO_LARGE', `${quotePath(given)} has ${file.size} bytes; the limit is ${maxBytes} bytes`, {
    data: { uri: toFileUri(file), bytes: file.size, maxBytes },
    hint,
  });
}
