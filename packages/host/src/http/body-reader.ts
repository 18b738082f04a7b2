import type { IncomingMessage } from 'node:http';

import { isJsonContentType } from '@modelcontextprotocol/server';

import { PARSE_ERROR, Refusal } from './refusal.ts';

/** So much of each body is not counted: most are not larger. */
const FIRST_BYTES = 16 * 1024;

/** Bodies that were begun and are not whole may take so much together: else many slow clients would take all the memory there is. */
const MAX_UNFINISHED_BYTES = 128 * 1024 * 1024;

export interface BodyLimits {
  /** Of one body. */
  readonly maxBody: number;
  /** Of those together that are being read, without the first 16 KiB of each. Default: 128 MiB, or two of the largest. */
  readonly maxUnfinished?: number;
}

/** Reads the bodies of requests, of which nothing past a limit is read. */
export class BodyReader {
  readonly #maxBody: number;
  readonly #maxUnfinished: number;
  #unfinished = 0;

  constructor({ maxBody, maxUnfinished = Math.max(MAX_UNFINISHED_BYTES, 2 * maxBody) }: BodyLimits) {
    this.#maxBody = maxBody;
    this.#maxUnfinished = maxUnfinished;
  }

  /**
   * Reads a JSON body.
   *
   * @throws Refusal 415 for another media type, 413 for a body over the limit, 503 where too much is being read already, 400 for a
   * body that is not JSON or breaks off
   */
  async readJson(request: IncomingMessage): Promise<unknown> {
    if (!isJsonContentType(request.headers['content-type'] ?? null))
      throw new Refusal(415, 'The Content-Type must be application/json');
    const text = await this.#readText(request);
    try {
      return JSON.parse(text);
    } catch {
      throw new Refusal(400, 'The body is not JSON', { code: PARSE_ERROR });
    }
  }

  async #readText(request: IncomingMessage): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBody) throw this.#tooLarge();
    // One buffer that grows, because a body that drips in costs many times its size as a list of pieces.
    let bytes: Buffer = Buffer.of();
    let size = 0;
    try {
      await eachChunk(request, (chunk) => {
        bytes = this.#joined(bytes, size, chunk);
        size += chunk.length;
      });
      return bytes.toString('utf8', 0, size);
    } finally {
      this.#unfinished -= counted(bytes.length);
    }
  }

  /** The first bytes of a buffer and those of a chunk, in the same buffer if it has room for them. */
  #joined(bytes: Buffer, size: number, chunk: Buffer): Buffer {
    const needed = size + chunk.length;
    if (needed > this.#maxBody) throw this.#tooLarge();
    const joined = needed <= bytes.length ? bytes : this.#grown(bytes, size, chunk);
    if (joined !== chunk) chunk.copy(joined, size);
    return joined;
  }

  #grown(bytes: Buffer, size: number, chunk: Buffer): Buffer {
    const length = size === 0 ? chunk.length : Math.min(this.#maxBody, 2 * (size + chunk.length));
    const more = counted(length) - counted(bytes.length);
    if (this.#unfinished + more > this.#maxUnfinished) throw tooMany();
    this.#unfinished += more;
    if (size === 0) return chunk;
    const larger = Buffer.allocUnsafe(length);
    bytes.copy(larger, 0, 0, size);
    return larger;
  }

  #tooLarge(): Refusal {
    return new Refusal(413, `The body is larger than ${this.#maxBody} bytes (--max-message)`);
  }
}

/** By events, because an iterator costs a small request more than its body. */
function eachChunk(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const receive = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (error) {
        request.off('data', receive).pause();
        reject(error);
      }
    };
    const fail = (): void => reject(new Refusal(400, 'The body broke off'));
    request.on('data', receive).once('end', resolve).once('error', fail);
    // It says so but once, and perhaps said it already.
    if (request.destroyed) fail();
  });
}

function tooMany(): Refusal {
  return new Refusal(503, 'Too many large requests are coming in; try again later', { headers: { 'Retry-After': '5' } });
}

function counted(length: number): number {
  return Math.max(0, length - FIRST_BYTES);
}
