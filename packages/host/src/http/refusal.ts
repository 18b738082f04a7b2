import type { ServerResponse } from 'node:http';

/** Codes of JSON-RPC errors that answer no request. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
/** Of what has no code of its own. */
export const REFUSED = -32_000;

export interface RefusalOptions {
  /** Default: −32000. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
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

  /** Answers with it; a response that has begun is broken off. */
  answer(response: ServerResponse): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code = REFUSED, headers, data } = this.#options;
    const error = { code, message: this.message, ...(data !== undefined && { data }) };
    response.writeHead(this.status, { 'Content-Type': 'application/json', ...headers });
    // The protocol has no id that is null.
    response.end(JSON.stringify({ jsonrpc: '2.0', error }));
  }
}
