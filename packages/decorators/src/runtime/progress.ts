import type { ServerContext } from '@modelcontextprotocol/server';

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
  #tokens = BURST;
  #refilled = performance.now();
  #ended = false;

  constructor(request: ServerContext['mcpReq']) {
    this.#request = request;
  }

  report(progress: number, total: number | undefined, message: string | undefined): void {
    if (this.#ended || this.#request._meta?.progressToken === undefined || !(progress > this.#last)) return;
    this.#last = progress;
    this.#held = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    if (this.#takeToken()) this.#flush();
  }

  /** Sends what is held back; nothing is sent after that. */
  end(): void {
    this.#flush();
    this.#ended = true;
  }

  #takeToken(): boolean {
    const now = performance.now();
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilled) / 1000) * PER_SECOND);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
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
