import type { StreamEvent } from './event-log.ts';

/** What all sessions together keep for clients that come back, in bytes; the oldest events go first. */
export class EventBudget {
  readonly #maxBytes: number;
  readonly #events = new Set<StreamEvent>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.size;
  }

  add(event: StreamEvent): void {
    this.#events.add(event);
    this.#bytes += event.frame.length;
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#maxBytes) return;
      oldest.log.drop(oldest);
    }
  }

  delete(event: StreamEvent): void {
    if (this.#events.delete(event)) this.#bytes -= event.frame.length;
  }
}
