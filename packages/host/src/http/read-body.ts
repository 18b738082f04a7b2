import type { IncomingMessage } from 'node:http';

import { isJsonContentType } from '@modelcontextprotocol/server';

import { PARSE_ERROR, Refusal } from './refusal.ts';

/** Room for most bodies; more is made as it is needed. */
const FIRST_BYTES = 16 * 1024;

/**
 * Reads a JSON body, of which nothing past the limit is read.
 *
 * @throws Refusal 415 for another media type, 413 for a body over the limit, 400 for one that is not JSON or breaks off
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!isJsonContentType(request.headers['content-type'] ?? null))
    throw new Refusal(415, 'The Content-Type must be application/json');
  const text = await readText(request, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON', { code: PARSE_ERROR });
  }
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // One buffer that grows, because a body that drips in costs many times its size as a list of pieces.
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(FIRST_BYTES, maxBytes));
  let size = 0;
  try {
    // Destroyed with its iterator, the request would take the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      const needed = size + chunk.length;
      if (needed > maxBytes) throw tooLarge(maxBytes);
      if (needed > bytes.length) bytes = grown(bytes, Math.min(maxBytes, 2 * needed));
      size += chunk.copy(bytes, size);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body broke off');
  }
  return bytes.toString('utf8', 0, size);
}

function grown(bytes: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafe(length);
  bytes.copy(larger);
  return larger;
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `The body is larger than ${maxBytes} bytes (--max-message)`);
}
