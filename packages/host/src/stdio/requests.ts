import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';

/** Streams are open for as long as the client likes, and a ping is answered at once: they have no turn, and nobody waits for their end. */
const APART = new Set(['ping', 'subscriptions/listen']);

/** `counted` requests keep others waiting; `slow` ones are likely to wait for something themselves, maybe for one of those. */
type State = 'counted' | 'slow' | 'apart';

export interface RequestsOptions {
  /** Requests that are begun at once. Those that take longer or ask the client do not count. */
  readonly maxAtOnce: number;
  /** Milliseconds after which a request that keeps others waiting does not count any more. */
  readonly slowAfter: number;
  /** Bytes of requests that wait for their turn; above, nothing should be read. */
  readonly maxWaiting: number;
  /** Whether nothing more is begun for now. */
  readonly isHeldBack: () => boolean;
  readonly run: (request: JSONRPCRequest) => void;
  /** Called when fewer may wait than before. */
  readonly onAdvance: () => void;
}

/** The requests of a connection that were read and not answered: those that have begun, and those that wait for their turn. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #begun = new Map<RequestId, State>();
  readonly #waiting = new Map<RequestId, { readonly request: JSONRPCRequest; readonly bytes: number }>();
  readonly #idle: (() => void)[] = [];
  #counted = 0;
  #apart = 0;
  #waitingBytes = 0;
  #isBeginning = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Whether so much waits that nothing more should be read. */
  get isOverloaded(): boolean {
    return this.#waitingBytes > this.#options.maxWaiting;
  }

  has(id: RequestId): boolean {
    return this.#begun.has(id) || this.#waiting.has(id);
  }

  hasBegun(id: RequestId): boolean {
    return this.#begun.has(id);
  }

  /** Resolves when every request was answered or cancelled; listen streams stay open. */
  idle(): Promise<void> {
    return this.#isIdle ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Takes a request, whose id no other has; it begins at once, or when it is its turn. */
  add(request: JSONRPCRequest, bytes: number): void {
    if (APART.has(request.method)) this.#begin(request, 'apart');
    else if (this.#waiting.size === 0 && this.#mayBegin()) this.#begin(request, 'counted');
    else {
      this.#waiting.set(request.id, { request, bytes });
      this.#waitingBytes += bytes;
      this.#timer ??= setTimeout(() => this.#tireOfWaiting(), this.#options.slowAfter).unref();
    }
  }

  /** A request was answered or cancelled. */
  settle(id: RequestId): void {
    const state = this.#begun.get(id);
    this.#begun.delete(id);
    if (state === undefined) this.#takeWaiting(id);
    else if (state === 'counted') this.#counted -= 1;
    else if (state === 'apart') this.#apart -= 1;
    this.beginWaiting();
    if (this.#idle.length > 0 && this.#isIdle) this.#resolveIdle();
  }

  /** A request has asked the client: what the client answers must not wait for its end. */
  hasAsked(id: RequestId): void {
    if (this.#begun.get(id) !== 'counted') return;
    this.#begun.set(id, 'slow');
    this.#counted -= 1;
    this.beginWaiting();
  }

  /** Begins what waits, as far as it may: to be called when something has changed. */
  beginWaiting(): void {
    // What is answered at once comes back here before the next has begun.
    if (this.#isBeginning || this.#waiting.size === 0) return;
    this.#isBeginning = true;
    for (const [id, { request }] of this.#waiting) {
      if (!this.#mayBegin()) break;
      this.#takeWaiting(id);
      this.#begin(request, 'counted');
    }
    this.#isBeginning = false;
    this.#options.onAdvance();
  }

  /** Forgets all of them. Returns their ids. */
  clear(): readonly RequestId[] {
    const ids = [...this.#begun.keys(), ...this.#waiting.keys()];
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#begun.clear();
    this.#waitingBytes = 0;
    this.#counted = 0;
    this.#apart = 0;
    this.#resolveIdle();
    return ids;
  }

  get #isIdle(): boolean {
    return this.#begun.size === this.#apart && this.#waiting.size === 0;
  }

  #mayBegin(): boolean {
    return this.#counted < this.#options.maxAtOnce && !this.#options.isHeldBack();
  }

  #begin(request: JSONRPCRequest, state: State): void {
    this.#begun.set(request.id, state);
    if (state === 'counted') this.#counted += 1;
    else this.#apart += 1;
    this.#options.run(request);
  }

  #takeWaiting(id: RequestId): void {
    this.#waitingBytes -= this.#waiting.get(id)?.bytes ?? 0;
    this.#waiting.delete(id);
  }

  #tireOfWaiting(): void {
    for (const [id, state] of this.#begun) if (state === 'counted') this.#begun.set(id, 'slow');
    this.#counted = 0;
    this.#timer = undefined;
    this.beginWaiting();
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#tireOfWaiting(), this.#options.slowAfter).unref();
  }

  #resolveIdle(): void {
    for (let resolve = this.#idle.pop(); resolve !== undefined; resolve = this.#idle.pop()) resolve();
  }
}
