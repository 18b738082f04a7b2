import type { IncomingMessage } from 'node:http';

import { isJsonContentType } from '@modelcontextprotocol/server';
import { Shares, type Shortage } from '@org/mcp-decorators';

import { PARSE_ERROR, HttpError } from './http-error.ts';

/** Number of bytes of each body that do not count towards the common limit. Most bodies are not larger. */
const FIRST_BYTES = 16 * 1024;

/** Common limit in bytes for all incomplete bodies, so that many slow clients cannot use up the memory. */
const MAX_UNFINISHED_BYTES = 128 * 1024 * 1024;

export interface BodyLimits {
  /** Maximum size of a body in bytes. */
  readonly maxBody: number;
  /**
   * Maximum total size in bytes of all incomplete bodies, without the first 16 KiB of each. Default: 128 MiB, or twice
   * `maxBody` if larger.
   */
  readonly maxUnfinished?: number;
}

/** A chunk that is appended to the first `size` bytes of a buffer. */
interface Addition {
  readonly size: number;
  readonly chunk: Buffer;
  readonly principal: string | undefined;
}

/** Reads the bodies of requests, within a limit for each body and a common limit. */
export class BodyReader {
  readonly #maxBody: number;
  readonly #unfinished: Shares;

  constructor({ maxBody, maxUnfinished = Math.max(MAX_UNFINISHED_BYTES, 2 * maxBody) }: BodyLimits) {
    this.#maxBody = maxBody;
    this.#unfinished = new Shares(maxUnfinished);
  }

  /**
   * Reads a JSON body, or returns the body that the application has read and parsed.
   * @throws HttpError 415 for another media type, 413 for a body over the limit, 503 if the incomplete bodies of all
   * clients take too much memory, 429 if the bodies of this principal take too much memory, 400 for a body that is
   * incomplete or not valid JSON; TypeError if the application has read the body, but has not passed it on
   */
  async readJson(request: IncomingMessage, principal?: string): Promise<unknown> {
    if (!isJsonContentType(request.headers['content-type'] ?? null))
      throw new HttpError(415, 'The Content-Type must be application/json');
    const given = getGivenBody(request);
    return given !== undefined && !isText(given) ? given : parseJson(String(given ?? (await this.#readText(request, principal))));
  }

  async #readText(request: IncomingMessage, principal: string | undefined): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBody) throw this.#tooLarge();
    // Uses one growing buffer: as a list of small chunks, a body would take many times its size.
    let bytes: Buffer = Buffer.of();
    let size = 0;
    try {
      await eachChunk(request, (chunk) => {
        bytes = this.#append(bytes, { size, chunk, principal });
        size += chunk.length;
      });
      return bytes.toString('utf8', 0, size);
    } finally {
      this.#unfinished.giveBack(principal, countedBytes(bytes.length));
    }
  }

  /** Returns a buffer with the previous bytes and the bytes of the chunk: the same buffer, if it is large enough. */
  #append(bytes: Buffer, addition: Addition): Buffer {
    const { size, chunk } = addition;
    const needed = size + chunk.length;
    if (needed > this.#maxBody) throw this.#tooLarge();
    const joined = needed <= bytes.length ? bytes : this.#grow(bytes, addition);
    if (joined !== chunk) chunk.copy(joined, size);
    return joined;
  }

  #grow(bytes: Buffer, { size, chunk, principal }: Addition): Buffer {
    const length = size === 0 ? chunk.length : Math.min(this.#maxBody, 2 * (size + chunk.length));
    const more = countedBytes(length) - countedBytes(bytes.length);
    const shortage = this.#unfinished.shortage(principal, more);
    if (shortage !== undefined) throw tooMany(shortage);
    this.#unfinished.take(principal, more);
    if (size === 0) return chunk;
    const larger = Buffer.allocUnsafe(length);
    bytes.copy(larger, 0, 0, size);
    return larger;
  }

  #tooLarge(): HttpError {
    return new HttpError(413, `The body is larger than ${this.#maxBody} bytes (--max-message)`);
  }
}

/** Returns the body that the application has read, as Express and its parsers store it. Returns `undefined` if the body is unread. */
function getGivenBody(request: IncomingMessage): unknown {
  return 'body' in request ? request.body : undefined;
}

function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON', { code: PARSE_ERROR });
  }
}

/** Passes each chunk of a body to `take`. Uses events, because an iterator takes longer than reading a small body. */
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
    const fail = (): void => reject(new HttpError(400, 'The body is incomplete'));
    request.on('data', receive).once('end', resolve).once('error', fail);
    if (request.readableEnded) reject(new TypeError('the application has read the body; pass the parsed body to the handler'));
    // The event 'error' may already have fired.
    else if (request.destroyed) fail();
  });
}

function tooMany(shortage: Shortage): HttpError {
  const options = { headers: { 'Retry-After': '5' } };
  return shortage === 'own'
    ? new HttpError(429, 'This client sends too many large requests at once; try again later', options)
    : new HttpError(503, 'Too many large requests are being received; try again later', options);
}

function countedBytes(length: number): number {
  return Math.max(0, length - FIRST_BYTES);
}
