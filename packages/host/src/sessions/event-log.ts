import type { EventBudget } from './event-budget.ts';

/** More events than this of one session are not kept: as many as a call that reports 10 times a second makes in 100 seconds. */
const MAX_EVENTS = 1000;

/** An event of a session's stream, as it was or will be written. */
export interface StreamEvent {
  readonly log: EventLog;
  readonly stream: number;
  /** Its place in the stream, from 1 and without gaps. */
  readonly index: number;
  readonly frame: string;
}

/**
 * The events of one session that its client may ask for again by `Last-Event-ID`: at most 1,000, and what the budget allows. The
 * oldest go first, whatever stream they are of.
 */
export class EventLog {
  readonly #budget: EventBudget;
  readonly #events = new Set<StreamEvent>();
  readonly #streams = new Map<number, StreamEvent[]>();

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  append(stream: number, index: number, frame: string): void {
    const event = { log: this, stream, index, frame };
    const earlier = this.#streams.get(stream);
    if (earlier === undefined) this.#streams.set(stream, [event]);
    else earlier.push(event);
    this.#events.add(event);
    this.#budget.add(event);
    if (this.#events.size > MAX_EVENTS) this.#dropOldest();
  }

  /** What the stream sent after an event of its own, oldest first; what was dropped is missing. */
  after(stream: number, index: number): readonly StreamEvent[] {
    const events = this.#streams.get(stream) ?? [];
    const [first] = events;
    return first === undefined ? [] : events.slice(Math.max(0, index + 1 - first.index));
  }

  /** Drops the oldest event of a stream. */
  drop(event: StreamEvent): void {
    const events = this.#streams.get(event.stream);
    events?.shift();
    if (events?.length === 0) this.#streams.delete(event.stream);
    this.#events.delete(event);
    this.#budget.delete(event);
  }

  clear(): void {
    for (const event of this.#events) this.drop(event);
  }

  #dropOldest(): void {
    for (const oldest of this.#events) {
      this.drop(oldest);
      return;
    }
  }
}
