import type { ServerResponse } from 'node:http';

import type { RequestId } from '@modelcontextprotocol/server';

import { formatEvent, openEventStream, writeFrame } from '../http-messages/event-frames.ts';
import { HttpError } from '../http-messages/http-error.ts';
import { formatEventId } from './event-id.ts';
import type { EventLog } from './event-log.ts';

/** Milliseconds after which a client reconnects to a closed stream. */
const RETRY_MS = 500;

/** Maximum number of unread bytes while missed events are sent again; the rest stays in the event log. */
const MAX_AHEAD_BYTES = 1024 * 1024;

/** Header with the session id, in requests and responses. */
export const SESSION_HEADER = 'mcp-session-id';

export interface EventStreamOptions {
  readonly id: number;
  readonly log: EventLog;
  readonly sessionId: string;
  /** Part of the event ids, see `EventPosition`. Default: none. */
  readonly requests?: string;
}

/** A stream of a session. Keeps every message for clients that reconnect, and writes it to the open connection, if any. */
export class EventStream {
  readonly id: number;
  readonly #log: EventLog;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #requests: string;
  #response: ServerResponse | undefined;
  /** Position of the last event that was sent; 0 before the first event. */
  #index = 0;
  /** Position of the last event that was written to a connection; 0 before the first event. */
  #written = 0;
  #ended = false;

  constructor({ id, log, sessionId, requests = '' }: EventStreamOptions) {
    this.id = id;
    this.#log = log;
    this.#requests = requests;
    this.#headers = { [SESSION_HEADER]: sessionId };
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** Starts a response. With `primes`, sends an event without data, whose id lets the client reconnect before the first message. */
  connect(response: ServerResponse, { primes }: { readonly primes: boolean }): void {
    if (!this.#attach(response)) return;
    if (primes) writeFrame(response, `id: ${this.#formatId(this.#written)}\nretry: ${RETRY_MS}\ndata: \n\n`);
    this.#catchUp(response);
  }

  /** Continues after an event. An open connection is considered dead and closed. */
  resume(response: ServerResponse, index: number): void {
    this.#written = index;
    if (this.#attach(response)) this.#catchUp(response);
  }

  /** @param answers id of the request that the message answers, if any */
  send(json: string, answers?: RequestId): void {
    const isUpToDate = this.#written === this.#index;
    this.#index += 1;
    const frame = formatEvent(json, this.#formatId(this.#index));
    this.#log.append(this.id, this.#index, frame, answers);
    // A client that is catching up receives the message from the log.
    if (this.#response !== undefined && isUpToDate && writeFrame(this.#response, frame)) this.#written = this.#index;
  }

  /** Closes the connection. Later messages wait for the next connection. */
  disconnect(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  /** Ends the stream: the connection closes when everything is written. */
  end(): void {
    this.#ended = true;
    if (this.#response !== undefined) this.#catchUp(this.#response);
  }

  /** Whether the stream has sent an event with this position; also true for 0, the position before the first event. */
  has(index: number): boolean {
    return index <= this.#index;
  }

  #formatId(index: number): string {
    return formatEventId({ generation: this.#log.generation, stream: this.id, index, requests: this.#requests });
  }

  /** Starts to write to a new connection. Returns whether the client is still connected. */
  #attach(response: ServerResponse): boolean {
    this.disconnect();
    // The event 'close' fires only once and may already have fired.
    if (response.destroyed) return false;
    this.#response = response;
    openEventStream(response, this.#headers);
    response.on('drain', () => {
      if (this.#response === response) this.#catchUp(response);
    });
    response.once('close', () => {
      // Another connection may have replaced this one.
      if (this.#response === response) this.#response = undefined;
    });
    return true;
  }

  /** Writes the missing events until the client has too many unread bytes. */
  #catchUp(response: ServerResponse): void {
    for (const { index, frame } of this.#log.after(this.id, this.#written)) {
      if (response.writableLength > MAX_AHEAD_BYTES || !writeFrame(response, frame)) return;
      this.#written = index;
    }
    this.#written = Math.max(this.#written, this.#index);
    if (this.#ended) this.disconnect();
  }
}

/** Creates the error for a `Last-Event-ID` that the session never sent. */
export function unknownEvent(): HttpError {
  return new HttpError(400, 'The Last-Event-ID does not belong to this session');
}
