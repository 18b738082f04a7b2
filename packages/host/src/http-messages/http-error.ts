import type { IncomingMessage, ServerResponse } from 'node:http';

// Servers must not define further JSON-RPC error codes in this range (2026-07-28, § Error Codes).
/** JSON-RPC error code for a message that is not valid JSON. */
export const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** JSON-RPC error code for errors that the client did not cause. */
export const INTERNAL_ERROR = -32_603;

/** Maximum size of an unread body that is read and dropped, so that the connection can be reused. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** Milliseconds for the client to read the response: closing the connection while the client sends would lose the response. */
const NOTICE_MS = 1000;

export interface HttpErrorOptions {
  /** JSON-RPC error code. Default: −32600, or −32603 from status 500 on. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP error response: a status, and a JSON-RPC error in the body. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  readonly #options: HttpErrorOptions;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message);
    this.status = status;
    this.#options = options;
  }

  /** Sends the error. If the response has begun, closes the connection instead. The rest of a long body is not read. */
  send(response: ServerResponse): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code = this.status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, headers } = this.#options;
    // The error has no id, because the protocol does not allow `null`.
    const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message: this.message } });
    const isLong = !response.req.complete && getBodyLength(response.req) > MAX_DROPPED_BYTES;
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

export function methodNotAllowed(allowed: string): HttpError {
  return new HttpError(405, `This path supports only ${allowed} requests`, { headers: { Allow: allowed } });
}

function endLater(response: ServerResponse): void {
  const notice = setTimeout(() => response.end(), NOTICE_MS);
  response.once('close', () => clearTimeout(notice));
}

/** Returns the declared length of a body in bytes; `Infinity` for a chunked body. */
function getBodyLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}
