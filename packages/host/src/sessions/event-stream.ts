import type { ServerResponse } from 'node:http';

import type { RequestId } from '@modelcontextprotocol/server';

import { messageFrame, openEventStream, writeFrame } from '../http/event-source.ts';
import { eventId, type EventLog } from './event-log.ts';

/** After this many milliseconds a client whose stream was closed comes back for the rest. */
const RETRY_MS = 500;

/** A client that gets again what it missed is not written more than this ahead; the rest waits where it is kept anyway. */
const MAX_AHEAD_BYTES = 1024 * 1024;

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
  /** The last event that was sent. */
  #index = 0;
  /** The last event that was written to a connection. */
  #written = 0;
  #ended = false;

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
    if (!this.#attach(response)) return;
    if (primes) writeFrame(response, `id: ${eventId(this.id, this.#written)}\nretry: ${RETRY_MS}\ndata: \n\n`);
    this.#catchUp(response);
  }

  /** Goes on after an event; a connection that is still there is taken for dead. */
  resume(response: ServerResponse, index: number): void {
    this.#written = index;
    if (this.#attach(response)) this.#catchUp(response);
  }

  /** Sends a message, which may be the answer to a request. */
  send(json: string, answers?: RequestId): void {
    const isUpToDate = this.#written === this.#index;
    this.#index += 1;
    const frame = messageFrame(json, eventId(this.id, this.#index));
    this.#log.append(this.id, this.#index, frame, answers);
    // One that catches up gets it in its turn.
    if (this.#response !== undefined && isUpToDate && writeFrame(this.#response, frame)) this.#written = this.#index;
  }

  /** Ends the connection; what is sent later waits for the next one. */
  disconnect(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  /** Nothing more is sent: the connection ends once everything is written. */
  end(): void {
    this.#ended = true;
    if (this.#response !== undefined) this.#catchUp(this.#response);
  }

  /** Whether an event was sent. */
  has(index: number): boolean {
    return index <= this.#index;
  }

  /** Returns whether the client is still there. */
  #attach(response: ServerResponse): boolean {
    this.disconnect();
    // It says so but once, and perhaps said it already.
    if (response.destroyed) return false;
    this.#response = response;
    openEventStream(response, this.#headers);
    response.on('drain', () => {
      if (this.#response === response) this.#catchUp(response);
    });
    response.once('close', () => {
      // By then another connection may have taken its place.
      if (this.#response === response) this.#response = undefined;
    });
    return true;
  }

  /** Writes what was not written yet, as far as the client keeps up. */
  #catchUp(response: ServerResponse): void {
    for (const { index, frame } of this.#log.after(this.id, this.#written)) {
      if (response.writableLength > MAX_AHEAD_BYTES || !writeFrame(response, frame)) return;
      this.#written = index;
    }
    this.#written = Math.max(this.#written, this.#index);
    if (this.#ended) this.disconnect();
  }
}

/** Reads a `Last-Event-ID`; `undefined` for one that no stream has made. */
export function parseEventId(id: string): StreamPosition | undefined {
  const [, stream, index] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || index === undefined ? undefined : { stream: Number(stream), index: Number(index) };
}
