import type { ServerContext } from '@modelcontextprotocol/server';

import { TokenBucket } from './limits/token-bucket.ts';

const BURST = 5;
const PER_SECOND = 10;

interface Report {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Progress notifications of one request: none without a token, only increasing values, at most a burst of 5 and then 10 a
 * second, and the last one before the result.
 */
export class Progress {
  readonly #request: ServerContext['mcpReq'];
  #last = Number.NEGATIVE_INFINITY;
  #held: Report | undefined;
  #bucket: TokenBucket | undefined;
  #ended = false;

  constructor(request: ServerContext['mcpReq']) {
    this.#request = request;
  }

  /** Whether the request was answered or cancelled: nothing more may be sent for it. */
  get isOver(): boolean {
    return this.#ended || this.#request.signal.aborted;
  }

  /** Whether the client asked for it. */
  get isWanted(): boolean {
    return !this.#ended && this.#request._meta?.progressToken !== undefined;
  }

  report(progress: number, total: number | undefined, message: string | undefined): void {
    if (!this.isWanted || !(progress > this.#last)) return;
    this.#last = progress;
    this.#held = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    this.#bucket ??= new TokenBucket(BURST, PER_SECOND);
    if (this.#bucket.take()) this.#flush();
  }

  /** Sends what is held back; nothing is sent after that. */
  end(): void {
    this.#flush();
    this.#ended = true;
  }

  #flush(): void {
    const report = this.#held;
    const progressToken = this.#request._meta?.progressToken;
    this.#held = undefined;
    if (report === undefined || progressToken === undefined || this.#request.signal.aborted) return;
    // A client that is gone is told to the handler by its signal, not by a failing notification.
    this.#request.notify({ method: 'notifications/progress', params: { progressToken, ...report } }).catch(() => undefined);
  }
}
