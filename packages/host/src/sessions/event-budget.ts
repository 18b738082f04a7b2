import type { StreamEvent } from './event-log.ts';

/** What all sessions together keep for clients that come back, in characters; the oldest events go first. */
export class EventBudget {
  readonly #max: number;
  readonly #events = new Set<StreamEvent>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many events are kept. */
  get count(): number {
    return this.#events.size;
  }

  add(event: StreamEvent): void {
    this.#events.add(event);
    this.#size += event.frame.length;
    for (const oldest of this.#events) {
      if (this.#size <= this.#max) return;
      oldest.log.drop(oldest);
    }
  }

  delete(event: StreamEvent): void {
    if (this.#events.delete(event)) this.#size -= event.frame.length;
  }
}
