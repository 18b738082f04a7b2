import type { Caller } from '../caller.ts';

/** How many slots there are, and for whom. */
export interface FairSlotsOptions {
  /** Slots in all. */
  readonly slots: number;
  /** Most slots that one caller holds. Default: all of them. */
  readonly slotsPerCaller?: number;
  /** Most calls of one caller that wait for a slot. Default: 100. */
  readonly maxWaiting?: number;
  /** Error of a call that may not wait: too many calls of its caller do, or its time to wait is over. */
  readonly refusal: (reason: 'queue' | 'time') => Error;
}

/** How long a call waits. */
export interface WaitOptions {
  /** Ends the wait; its reason is what the wait rejects with. */
  readonly signal: AbortSignal;
  /** Milliseconds. Default: any time. */
  readonly withinMs?: number;
}

interface Waiting {
  readonly caller: Caller;
  readonly begin: (slot: Disposable) => void;
}

/**
 * Shares a number of slots between callers.
 *
 * A free slot goes to the waiting caller that holds the fewest, and among equals to the one that was served longest ago. The calls
 * of one caller begin in their order. Where a caller has peers, the last slot is kept for a caller that holds none: whatever one
 * caller does, another one's call begins at once or is the next to begin.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #held = new Map<string, number>();
  /** Calls that wait, by caller; the caller that was served longest ago comes first. */
  readonly #queues = new Map<string, Set<Waiting>>();
  #free: number;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /** A slot, until it is disposed of; `undefined` if the caller would have to wait. */
  claim(caller: Caller): Disposable | undefined {
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
   * Resolves to a slot, until it is disposed of, as soon as the caller may have one.
   *
   * @throws the refusal; the signal's reason
   */
  async enter(caller: Caller, options: WaitOptions): Promise<Disposable> {
    options.signal.throwIfAborted();
    return this.claim(caller) ?? this.#wait(caller, options);
  }

  /** Does work in a slot. @throws those of {@link FairSlots.enter}, and what the work throws */
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
    const kept = caller.hasPeers && held > 0 ? 1 : 0;
    return held < slotsPerCaller && this.#free > kept;
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
    const slot = this.claim(caller);
    const queue = this.#queues.get(caller.key);
    if (slot === undefined || queue === undefined) return;
    // Set anew, so that the first key is that of the caller that was served longest ago.
    this.#queues.delete(caller.key);
    this.#queues.set(caller.key, queue);
    begin(slot);
  }
}

const MAX_WAITING = 100;
