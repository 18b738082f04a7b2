import type { ServerContext } from '@modelcontextprotocol/server';

import { TokenBucket } from '../limits/token-bucket.ts';

const BURST = 5;
const PER_SECOND = 10;

interface Report {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Sends the progress notifications of one request. Sends nothing if the request has no progress token. Sends only increasing
 * values: at most a burst of 5 and then 10 per second, and the last value before the result.
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

  /** Whether the request was answered or cancelled: nothing may be sent after that. */
  get isOver(): boolean {
    return this.#ended || this.#request.signal.aborted;
  }

  /** Whether a report has an effect: the client requested progress notifications, and {@link Progress.end} was not called. */
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

  /** Sends the latest value if it was delayed. Later reports have no effect. */
  end(): void {
    this.#flush();
    this.#ended = true;
  }

  #flush(): void {
    const report = this.#held;
    const progressToken = this.#request._meta?.progressToken;
    this.#held = undefined;
    if (report === undefined || progressToken === undefined || this.#request.signal.aborted) return;
    // A failed notification is ignored, because the signal notifies the method that the client is gone.
    this.#request.notify({ method: 'notifications/progress', params: { progressToken, ...report } }).catch(() => undefined);
  }
}
