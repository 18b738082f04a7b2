import type { IncomingMessage } from 'node:http';

import { isJsonContentType } from '@modelcontextprotocol/server';
import { Shares, type Shortage } from '@org/mcp-decorators';

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

/** A chunk that is appended to the first `size` bytes of a buffer. */
interface Addition {
  readonly size: number;
  readonly chunk: Buffer;
  readonly principal: string | undefined;
}

/** Reads the bodies of requests, of which nothing past a limit is read. */
export class BodyReader {
  readonly #maxBody: number;
  readonly #unfinished: Shares;

  constructor({ maxBody, maxUnfinished = Math.max(MAX_UNFINISHED_BYTES, 2 * maxBody) }: BodyLimits) {
    this.#maxBody = maxBody;
    this.#unfinished = new Shares(maxUnfinished);
  }

  /**
   * Reads a JSON body.
   *
   * @throws Refusal 415 for another media type, 413 for a body over the limit, 503 if the unfinished bodies of all clients take too
   * much memory, 429 if those of this principal do, 400 for a body that is incomplete or not JSON
   */
  async readJson(request: IncomingMessage, principal?: string): Promise<unknown> {
    if (!isJsonContentType(request.headers['content-type'] ?? null))
      throw new Refusal(415, 'The Content-Type must be application/json');
    const text = await this.#readText(request, principal);
    try {
      return JSON.parse(text);
    } catch {
      throw new Refusal(400, 'The body is not JSON', { code: PARSE_ERROR });
    }
  }

  async #readText(request: IncomingMessage, principal: string | undefined): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBody) throw this.#tooLarge();
    // One buffer that grows, because a body that drips in costs many times its size as a list of pieces.
    let bytes: Buffer = Buffer.of();
    let size = 0;
    try {
      await eachChunk(request, (chunk) => {
        bytes = this.#joined(bytes, { size, chunk, principal });
        size += chunk.length;
      });
      return bytes.toString('utf8', 0, size);
    } finally {
      this.#unfinished.giveBack(principal, counted(bytes.length));
    }
  }

  /** The first bytes of a buffer and those of a chunk, in the same buffer if it has room for them. */
  #joined(bytes: Buffer, addition: Addition): Buffer {
    const { size, chunk } = addition;
    const needed = size + chunk.length;
    if (needed > this.#maxBody) throw this.#tooLarge();
    const joined = needed <= bytes.length ? bytes : this.#grown(bytes, addition);
    if (joined !== chunk) chunk.copy(joined, size);
    return joined;
  }

  #grown(bytes: Buffer, { size, chunk, principal }: Addition): Buffer {
    const length = size === 0 ? chunk.length : Math.min(this.#maxBody, 2 * (size + chunk.length));
    const more = counted(length) - counted(bytes.length);
    const shortage = this.#unfinished.shortage(principal, more);
    if (shortage !== undefined) throw tooMany(shortage);
    this.#unfinished.take(principal, more);
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

function tooMany(shortage: Shortage): Refusal {
  const options = { headers: { 'Retry-After': '5' } };
  return shortage === 'own'
    ? new Refusal(429, 'This client sends too many large requests at once; try again later', options)
    : new Refusal(503, 'Too many large requests are coming in; try again later', options);
}

function counted(length: number): number {
  return Math.max(0, length - FIRST_BYTES);
}
