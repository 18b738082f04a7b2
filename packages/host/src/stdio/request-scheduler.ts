import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';

import type { Batch } from './batch.ts';

/**
 * Methods of requests that never wait and delay no other request: streams stay open as long as the client wants, and
 * pings are answered at once.
 */
const UNSCHEDULED = new Set(['ping', 'subscriptions/listen']);

/**
 * State of a request. Only `counted` requests count towards the maximum. `slow` requests do not, because they probably
 * wait for the client or for another request.
 */
type State = 'waiting' | 'counted' | 'slow' | 'unscheduled';

/** A request that was read and is not yet answered. */
export interface ScheduledRequest {
  readonly request: JSONRPCRequest;
  /** Batch in which the request arrived, if any. */
  readonly batch: Batch | undefined;
  readonly bytes: number;
  state: State;
}

export interface SchedulerOptions {
  /** Maximum number of counted requests that run at once. */
  readonly maxConcurrent: number;
  /** Milliseconds of waiting after which all running requests become slow, so that the waiting requests can start. */
  readonly slowAfterMs: number;
  /** Maximum number of bytes of waiting requests; above this number, reading should pause. */
  readonly maxWaitingBytes: number;
  /** Whether waiting requests must not start at the moment. */
  readonly isPaused: () => boolean;
  readonly start: (request: JSONRPCRequest) => void;
  /** Called when the number of waiting requests may have decreased. */
  readonly onProgress: () => void;
}

/** Starts the requests of a connection in order, and keeps track of every request until it is answered or cancelled. */
export class RequestScheduler {
  readonly #options: SchedulerOptions;
  readonly #requests = new Map<RequestId, ScheduledRequest>();
  readonly #waiting = new Set<ScheduledRequest>();
  readonly #idleListeners: (() => void)[] = [];
  #counted = 0;
  #unscheduled = 0;
  #waitingBytes = 0;
  #isStarting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Whether reading should pause, because too many bytes of requests wait. */
  get isOverloaded(): boolean {
    return this.#waitingBytes > this.#options.maxWaitingBytes;
  }

  has(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  /** Whether the request has started and is not answered. */
  isRunning(id: RequestId): boolean {
    const scheduled = this.#requests.get(id);
    return scheduled !== undefined && scheduled.state !== 'waiting';
  }

  /** Resolves when every request is answered or cancelled, except listen streams. */
  whenIdle(): Promise<void> {
    return this.#isIdle ? Promise.resolve() : new Promise((resolve) => this.#idleListeners.push(resolve));
  }

  /**
   * Adds a request with an unused id. A `ping` or a listen stream starts immediately. Any other request starts immediately if no
   * earlier request waits, the maximum allows another one and `isPaused` returns `false`. Otherwise the request waits.
   */
  add(request: JSONRPCRequest, bytes: number, batch?: Batch): void {
    const scheduled: ScheduledRequest = { request, batch, bytes, state: 'waiting' };
    this.#requests.set(request.id, scheduled);
    if (UNSCHEDULED.has(request.method)) this.#start(scheduled, 'unscheduled');
    else if (this.#waiting.size === 0 && this.#mayStart()) this.#start(scheduled, 'counted');
    else {
      this.#waiting.add(scheduled);
      this.#waitingBytes += bytes;
      this.#timer ??= setTimeout(() => this.#markAllSlow(), this.#options.slowAfterMs).unref();
    }
  }

  /** Returns the batch of a request, or `undefined` if the request did not arrive in a batch. */
  getBatch(id: RequestId): Batch | undefined {
    return this.#requests.get(id)?.batch;
  }

  /** Removes a request that was answered or cancelled. */
  remove(id: RequestId): void {
    const scheduled = this.#requests.get(id);
    this.#requests.delete(id);
    if (scheduled?.state === 'waiting') this.#unqueue(scheduled);
    else if (scheduled?.state === 'counted') this.#counted -= 1;
    else if (scheduled?.state === 'unscheduled') this.#unscheduled -= 1;
    this.startWaiting();
    if (this.#idleListeners.length > 0 && this.#isIdle) this.#resolveIdle();
  }

  /** Marks a request as slow because it waits for the client: the next message of the client must not wait for it. */
  markSlow(id: RequestId): void {
    const scheduled = this.#requests.get(id);
    if (scheduled?.state !== 'counted') return;
    scheduled.state = 'slow';
    this.#counted -= 1;
    this.startWaiting();
  }

  /** Starts waiting requests, up to the maximum. Must be called when `isPaused` may have changed. */
  startWaiting(): void {
    // A request that is answered synchronously calls this method during the loop below, which must not start a second time.
    if (this.#isStarting || this.#waiting.size === 0) return;
    this.#isStarting = true;
    for (const scheduled of this.#waiting) {
      if (!this.#mayStart()) break;
      this.#unqueue(scheduled);
      this.#start(scheduled, 'counted');
    }
    this.#isStarting = false;
    this.#options.onProgress();
  }

  /** Removes all requests. Returns the running requests, then the waiting ones. */
  clear(): readonly ScheduledRequest[] {
    const all = [...this.#requests.values()];
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#requests.clear();
    this.#waitingBytes = 0;
    this.#counted = 0;
    this.#unscheduled = 0;
    this.#resolveIdle();
    return [...all.filter(({ state }) => state !== 'waiting'), ...all.filter(({ state }) => state === 'waiting')];
  }

  get #isIdle(): boolean {
    return this.#requests.size === this.#unscheduled;
  }

  #mayStart(): boolean {
    return this.#counted < this.#options.maxConcurrent && !this.#options.isPaused();
  }

  #start(scheduled: ScheduledRequest, state: 'counted' | 'unscheduled'): void {
    scheduled.state = state;
    if (state === 'counted') this.#counted += 1;
    else this.#unscheduled += 1;
    this.#options.start(scheduled.request);
  }

  #unqueue(scheduled: ScheduledRequest): void {
    if (this.#waiting.delete(scheduled)) this.#waitingBytes -= scheduled.bytes;
  }

  #markAllSlow(): void {
    for (const scheduled of this.#requests.values()) if (scheduled.state === 'counted') scheduled.state = 'slow';
    this.#counted = 0;
    this.#timer = undefined;
    this.startWaiting();
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#markAllSlow(), this.#options.slowAfterMs).unref();
  }

  #resolveIdle(): void {
    for (let resolve = this.#idleListeners.pop(); resolve !== undefined; resolve = this.#idleListeners.pop()) resolve();
  }
}
