import type { ServerResponse } from 'node:http';

import { bodyLength } from './body-length.ts';

/** Codes of JSON-RPC errors. There are no others: 2026-07-28 has servers make up none from −32000 on (§ Error Codes). */
export const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Of what the client cannot help. */
export const INTERNAL_ERROR = -32_603;

/** The rest of a body that is no longer is read and dropped, so that its connection can be used again. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** For a client to notice that it is refused; a connection that closes while it sends takes the answer with it. */
const NOTICE_MS = 1000;

export interface RefusalOptions {
  /** Default: −32600, and −32603 from status 500 on. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why an HTTP request is not served: a status, and an error in the body. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: number;
  readonly #options: RefusalOptions;

  constructor(status: number, message: string, options: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.#options = options;
  }

  /** Answers with it; a response that has begun is broken off. Nothing more is read of a long body. */
  answer(response: ServerResponse): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code = this.status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, headers } = this.#options;
    // The protocol has no id that is null.
    const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message: this.message } });
    const isLong = !response.req.complete && bodyLength(response.req) > MAX_DROPPED_BYTES;
    response.writeHead(this.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(isLong && { Connection: 'close' }),
      ...headers,
    });
    response.write(body);
    if (isLong) endLater(response);
    else response.end();
  }
}

export function methodNotAllowed(allowed: string): Refusal {
  return new Refusal(405, `Only ${allowed} is served here`, { headers: { Allow: allowed } });
}

function endLater(response: ServerResponse): void {
  const notice = setTimeout(() => response.end(), NOTICE_MS);
  response.once('close', () => clearTimeout(notice));
}
