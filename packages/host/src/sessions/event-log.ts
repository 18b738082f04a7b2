import type { RequestId } from '@modelcontextprotocol/server';
import { Shares } from '@org/mcp-decorators';

import { formatEvent } from '../http-messages/event-frames.ts';
import { INTERNAL_ERROR } from '../http-messages/http-error.ts';
import { createErrorResponse } from '../protocol/json-rpc.ts';
import { formatEventId } from './event-id.ts';

/**
 * Maximum number of kept events per session. A call that reports progress 10 times per second creates 1,000 events in
 * 100 seconds.
 */
const MAX_EVENTS = 1000;

/** Maximum number of dropped responses for which the client receives an error instead. */
const MAX_DROPPED = 100;

/** Maximum length of a request id. A dropped response with a longer id is not replaced by an error. */
const MAX_ID = 100;

/** An event of a session's stream, in its written form. */
export interface StreamEvent {
  readonly log: EventLog;
  readonly stream: number;
  /** Position in the stream, from 1, without gaps. */
  readonly index: number;
  readonly frame: string;
  /** Id of the request that the event answers, if any. */
  readonly answers: RequestId | undefined;
}

/**
 * Keeps the events of one session that its client may request again with `Last-Event-ID`: at most 1,000, within the budget. Drops
 * the oldest event of the session first, from whichever stream. The last 100 dropped responses are replaced by errors, because
 * the client would otherwise wait for ever.
 */
export class EventLog {
  readonly principal: string | undefined;
  /** Number of processes that had the session before. */
  readonly generation: number;
  readonly #budget: EventBudget;
  readonly #events = new Set<StreamEvent>();
  readonly #streams = new Map<number, StreamEvent[]>();
  #replacements: readonly StreamEvent[] = [];

  /** @param principal owner of the session; absent without a token */
  constructor(budget: EventBudget, principal?: string, generation = 0) {
    this.#budget = budget;
    this.principal = principal;
    this.generation = generation;
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

  /** Returns the kept events of a stream after a position, oldest first. */
  after(stream: number, index: number): readonly StreamEvent[] {
    const events = this.#streams.get(stream) ?? [];
    const [first] = events;
    const kept = first === undefined ? [] : events.slice(Math.max(0, index + 1 - first.index));
    const replacements = this.#replacements.filter((event) => event.stream === stream && event.index > index);
    return replacements.length === 0 ? kept : [...replacements, ...kept];
  }

  /** Drops an event, which must be the oldest one of its stream. */
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
    this.#replacements = [];
  }

  #replace(event: StreamEvent, answers: RequestId): void {
    const error = createErrorResponse(answers, INTERNAL_ERROR, 'The response is no longer available');
    const frame = formatEvent(JSON.stringify(error), formatEventId({ ...event, generation: this.generation }));
    this.#replacements = [...this.#replacements, { ...event, frame }].slice(-MAX_DROPPED);
  }

  #dropOldest(): void {
    for (const oldest of this.#events) {
      this.drop(oldest);
      return;
    }
  }
}

/**
 * Limits the total size, in characters, of the events that all sessions keep for clients that reconnect. If the events of a
 * principal take more than remains free, the oldest events of this principal are dropped, never events of other principals. The
 * events of all clients without a token are dropped, oldest first, only if the total exceeds the limit.
 */
export class EventBudget {
  readonly #shares: Shares;
  /** The events of each principal, oldest first. */
  readonly #events = new Map<string | undefined, Set<StreamEvent>>();
  #count = 0;

  constructor(max: number) {
    this.#shares = new Shares(max);
  }

  /** Number of kept events. */
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
