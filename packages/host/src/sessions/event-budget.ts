import { Shares } from '@org/mcp-decorators';

import type { StreamEvent } from './event-log.ts';

/**
 * Limits, in characters, the events that all sessions together keep for clients that reconnect. A principal whose events take more
 * than remains free loses its own oldest events, never events of others.
 */
export class EventBudget {
  readonly #shares: Shares;
  /** The events of each principal, oldest first. */
  readonly #events = new Map<string | undefined, Set<StreamEvent>>();
  #count = 0;

  constructor(max: number) {
    this.#shares = new Shares(max);
  }

  /** How many events are kept. */
  get count(): number {
    return this.#count;
  }

  add(event: StreamEvent): void {
    const { principal } = event.log;
    const own = this.#events.get(principal) ?? new Set();
    this.#events.set(principal, own.add(event));
    this.#count += 1;
    this.#shares.take(principal, event.frame.length);
    for (const oldest of own) {
      if (!this.#shares.isExceeded(principal)) return;
      oldest.log.drop(oldest);
    }
  }

  delete(event: StreamEvent): void {
    const { principal } = event.log;
    const own = this.#events.get(principal);
    if (own?.delete(event) !== true) return;
    if (own.size === 0) this.#events.delete(principal);
    this.#count -= 1;
    this.#shares.giveBack(principal, event.frame.length);
  }
}
