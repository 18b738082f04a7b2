import type { Caller } from '../client/client.ts';

/** Limits of {@link FairSemaphore}. */
export interface FairSemaphoreOptions {
  /** Total number of slots. */
  readonly slots: number;
  /** Maximum number of slots for one caller. Default: all slots. */
  readonly slotsPerCaller?: number;
  /** Maximum number of waiting calls for one caller. Default: 100. */
  readonly maxWaiting?: number;
  /**
   * Creates the error of a rejected call. `queue`: too many calls of its caller wait. `time`: its waiting time is over.
   */
  readonly refusal: (reason: 'queue' | 'time') => Error;
}

/** Limits the wait for a slot. */
export interface WaitOptions {
  /** Ends the wait, which rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Maximum wait in milliseconds. Default: unlimited. */
  readonly withinMs?: number;
}

interface Seen {
  readonly key: string;
  readonly at: number;
}

interface Waiting {
  readonly caller: Caller;
  readonly begin: (slot: Disposable) => void;
}

/**
 * Semaphore that shares its slots fairly between callers.
 *
 * A free slot goes to the waiting caller with the fewest slots; ties are resolved round-robin. Calls of one caller start in FIFO
 * order. If a caller has peers, and another caller called within the last ten minutes,
 * the last free slot is reserved for callers without a slot. No caller can therefore starve another.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  readonly #held = new Map<string, number>();
  /** Waiting calls by caller, in round-robin order. */
  readonly #queues = new Map<string, Set<Waiting>>();
  #free: number;
  /** The last two distinct callers with peers, latest first, with the time of their last calls. */
  #seen: readonly Seen[] = [];

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /** Takes a slot until the result is disposed of. Returns `undefined` if the caller would have to wait. */
  claim(caller: Caller): Disposable | undefined {
    if (caller.hasPeers) this.#seen = [{ key: caller.key, at: performance.now() }, ...this.#othersThan(caller)].slice(0, 2);
    return this.#claim(caller);
  }

  #claim(caller: Caller): Disposable | undefined {
    if (!this.#mayHold(caller)) return undefined;
    this.#free -= 1;
    this.#held.set(caller.key, this.#heldBy(caller) + 1);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(caller);
        isHeld = false;
      },
    };
  }

  /**
   * Waits for a slot and takes it until the result is disposed of.
   *
   * @throws the error of `refusal`; the signal's reason
   */
  async enter(caller: Caller, options: WaitOptions): Promise<Disposable> {
    options.signal.throwIfAborted();
    return this.claim(caller) ?? this.#wait(caller, options);
  }

  /** Runs the work in a slot. @throws errors of {@link FairSemaphore.enter} and of the work */
  async run<Outcome>(work: () => Promise<Outcome>, caller: Caller, options: WaitOptions): Promise<Outcome> {
    const slot = await this.enter(caller, options);
    try {
      return await work();
    } finally {
      slot[Symbol.dispose]();
    }
  }

  #heldBy({ key }: Caller): number {
    return this.#held.get(key) ?? 0;
  }

  #mayHold(caller: Caller): boolean {
    const { slots, slotsPerCaller = slots } = this.#options;
    const held = this.#heldBy(caller);
    const kept = caller.hasPeers && held > 0 && this.#othersThan(caller).length > 0 ? 1 : 0;
    return held < slotsPerCaller && this.#free > kept;
  }

  #othersThan(caller: Caller): readonly Seen[] {
    const since = performance.now() - SEEN_MS;
    return this.#seen.filter(({ key, at }) => key !== caller.key && at > since);
  }

  #wait(caller: Caller, { signal, withinMs }: WaitOptions): Promise<Disposable> {
    const { maxWaiting = MAX_WAITING, refusal } = this.#options;
    const queue = this.#queues.get(caller.key) ?? new Set();
    if (queue.size >= maxWaiting) throw refusal('queue');
    this.#queues.set(caller.key, queue);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        queue.delete(waiting);
        if (queue.size === 0) this.#queues.delete(caller.key);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      const expire = (): void => {
        end();
        reject(refusal('time'));
      };
      const begin = (slot: Disposable): void => {
        end();
        resolve(slot);
      };
      const waiting: Waiting = { caller, begin };
      const timer = withinMs === undefined ? undefined : setTimeout(expire, withinMs);
      signal.addEventListener('abort', abort, { once: true });
      queue.add(waiting);
    });
  }

  #release(caller: Caller): void {
    const left = this.#heldBy(caller) - 1;
    if (left === 0) this.#held.delete(caller.key);
    else this.#held.set(caller.key, left);
    this.#free += 1;
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#begin(next);
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const [first] of this.#queues.values())
      if (first !== undefined && this.#mayHold(first.caller) && this.#isSooner(first.caller, next?.caller)) next = first;
    return next;
  }

  #isSooner(caller: Caller, other: Caller | undefined): boolean {
    return other === undefined || this.#heldBy(caller) < this.#heldBy(other);
  }

  #begin({ caller, begin }: Waiting): void {
    const slot = this.#claim(caller);
    const queue = this.#queues.get(caller.key);
    if (slot === undefined || queue === undefined) return;
    // Reinserting the key moves this caller to the end of the round-robin order.
    this.#queues.delete(caller.key);
    this.#queues.set(caller.key, queue);
    begin(slot);
  }
}

const MAX_WAITING = 100;
/** Milliseconds without a call after which a caller is not expected to call again. */
const SEEN_MS = 600_000;
