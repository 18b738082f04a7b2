import type { RequestId } from '@modelcontextprotocol/server';

import { messageFrame } from '../http/event-source.ts';
import { INTERNAL_ERROR } from '../http/refusal.ts';
import { errorAnswer } from '../wire/error-answer.ts';
import type { EventBudget } from './event-budget.ts';

/** More events than this of one session are not kept: as many as a call that reports 10 times a second makes in 100 seconds. */
const MAX_EVENTS = 1000;

/** Of so many answers it is known that they were dropped, and of none whose request has an id of more than so many characters. */
const MAX_DROPPED = 100;
const MAX_ID = 100;

/** An event of a session's stream, as it was or will be written. */
export interface StreamEvent {
  readonly log: EventLog;
  readonly stream: number;
  /** Its place in the stream, from 1 and without gaps. */
  readonly index: number;
  readonly frame: string;
  /** The request that it answers, if it does. */
  readonly answers: RequestId | undefined;
}

/** By what a client says where it was. */
export function eventId(stream: number, index: number): string {
  return `${stream}-${index}`;
}

/**
 * The events of one session that its client may ask for again by `Last-Event-ID`: at most 1,000, and what the budget allows. The
 * oldest go first, whatever stream they are of. In the place of an answer that was dropped its client gets an error, for it would
 * wait for ever.
 */
export class EventLog {
  readonly principal: string | undefined;
  readonly #budget: EventBudget;
  readonly #events = new Set<StreamEvent>();
  readonly #streams = new Map<number, StreamEvent[]>();
  #standIns: readonly StreamEvent[] = [];

  /** `principal` is the owner of the session; `undefined` without a token. */
  constructor(budget: EventBudget, principal?: string) {
    this.#budget = budget;
    this.principal = principal;
  }

  append(stream: number, index: number, frame: string, answers?: RequestId): void {
    const event = { log: this, stream, index, frame, answers };
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
    const kept = first === undefined ? [] : events.slice(Math.max(0, index + 1 - first.index));
    const standIns = this.#standIns.filter((event) => event.stream === stream && event.index > index);
    return standIns.length === 0 ? kept : [...standIns, ...kept];
  }

  /** Drops the oldest event of a stream. */
  drop(event: StreamEvent): void {
    const events = this.#streams.get(event.stream);
    events?.shift();
    if (events?.length === 0) this.#streams.delete(event.stream);
    this.#events.delete(event);
    this.#budget.delete(event);
    if (event.answers !== undefined && String(event.answers).length <= MAX_ID) this.#replace(event, event.answers);
  }

  clear(): void {
    for (const event of this.#events) this.#budget.delete(event);
    this.#events.clear();
    this.#streams.clear();
    this.#standIns = [];
  }

  #replace(event: StreamEvent, answers: RequestId): void {
    const error = errorAnswer(answers, INTERNAL_ERROR, 'The answer is not kept any more');
    const frame = messageFrame(JSON.stringify(error), eventId(event.stream, event.index));
    this.#standIns = [...this.#standIns, { ...event, frame }].slice(-MAX_DROPPED);
  }

  #dropOldest(): void {
    for (const oldest of this.#events) {
      this.drop(oldest);
      return;
    }
  }
}
