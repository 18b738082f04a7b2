import type { IncomingMessage } from 'node:http';

import { isJsonContentType } from '@modelcontextprotocol/server';

import { PARSE_ERROR, Refusal } from './refusal.ts';

/**
 * Reads a JSON body, of which nothing past the limit is read.
 *
 * @throws Refusal 415 for another media type, 413 for a body over the limit, 400 for one that is not JSON
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
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroyed with its iterator, the request would take the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The connection is of no use after that: the rest of the body would come first. */
function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `The body is larger than ${maxBytes} bytes (--max-body)`, { headers: { Connection: 'close' } });
}
