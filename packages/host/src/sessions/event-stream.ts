import type { ServerResponse } from 'node:http';

import { messageFrame, openEventStream, writeFrame } from '../http/event-source.ts';
import type { EventLog, StreamEvent } from './event-log.ts';

/** After this many milliseconds a client whose stream was closed comes back for the rest. */
const RETRY_MS = 500;

/** Names the session in requests and responses. */
export const SESSION_HEADER = 'mcp-session-id';

/** Where a client was in a stream when it lost it. */
export interface StreamPosition {
  readonly stream: number;
  readonly index: number;
}

export interface EventStreamOptions {
  readonly id: number;
  readonly log: EventLog;
  readonly sessionId: string;
}

/** One stream of a session: every message is kept for a client that lost its connection, and written if one is there. */
export class EventStream {
  readonly id: number;
  readonly #log: EventLog;
  readonly #headers: Readonly<Record<string, string>>;
  #response: ServerResponse | undefined;
  #index = 0;
  /** The last event that was written to a connection. */
  #written = 0;

  constructor({ id, log, sessionId }: EventStreamOptions) {
    this.id = id;
    this.#log = log;
    this.#headers = { [SESSION_HEADER]: sessionId };
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** Begins a response; `primes` sends an event without data, by whose id the client can come back before the first message. */
  connect(response: ServerResponse, { primes }: { readonly primes: boolean }): void {
    this.#attach(response);
    if (primes) writeFrame(response, `id: ${this.id}-${this.#index}\nretry: ${RETRY_MS}\ndata: \n\n`);
    this.#replay(response, this.#written);
  }

  /** Goes on where a client was; a connection that is still there is taken for dead. */
  resume(response: ServerResponse, { index }: StreamPosition): void {
    this.#response?.end();
    this.#attach(response);
    this.#replay(response, index);
  }

  send(json: string): void {
    this.#index += 1;
    const frame = messageFrame(json, `${this.id}-${this.#index}`);
    this.#log.append(this.id, this.#index, frame);
    if (this.#response !== undefined) this.#write(this.#response, frame, this.#index);
  }

  /** Ends the connection; what is sent later waits for the next one. */
  disconnect(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  #attach(response: ServerResponse): void {
    this.#response = response;
    openEventStream(response, this.#headers);
    response.once('close', () => {
      // By then another connection may have taken its place.
      if (this.#response === response) this.#response = undefined;
    });
  }

  #replay(response: ServerResponse, after: number): void {
    for (const { index, frame } of this.#log.after(this.id, after)) this.#write(response, frame, index);
  }

  #write(response: ServerResponse, frame: string, index: number): void {
    writeFrame(response, frame);
    this.#written = Math.max(this.#written, index);
  }
}

/** Plays what is left of a stream that has ended. */
export function playEvents(response: ServerResponse, events: readonly StreamEvent[], sessionId: string): void {
  openEventStream(response, { [SESSION_HEADER]: sessionId });
  for (const { frame } of events) response.write(frame);
  response.end();
}

/** Reads a `Last-Event-ID`; `undefined` for one that no stream here has made. */
export function parseEventId(id: string): StreamPosition | undefined {
  const [, stream, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || index === undefined ? undefined : { stream: Number(stream), index: Number(index) };
}
