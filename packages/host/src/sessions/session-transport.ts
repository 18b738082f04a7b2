import type { ServerResponse } from 'node:http';

import type {
  AuthInfo,
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

import { cancelledBy } from '../cancelled-by.ts';
import type { EventLog } from './event-log.ts';
import { EventStream, playEvents, SESSION_HEADER, type StreamPosition } from './event-stream.ts';
import { Exchange } from './exchange.ts';

/** From here on a client understands an event without data. */
const PRIMING_SINCE = '2025-11-25';
/** Of the stream of what belongs to no request. */
const STANDALONE = 0;

/** What came in one POST. */
export interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  readonly auth: AuthInfo | undefined;
}

/** The transport of one session over Streamable HTTP, until 2025-11-25. */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly #log: EventLog;
  readonly #standalone: EventStream;
  readonly #exchanges = new Map<RequestId, Exchange>();
  #streams = STANDALONE;
  #version = '';
  #closed = false;

  constructor(sessionId: string, log: EventLog) {
    this.sessionId = sessionId;
    this.#log = log;
    this.#standalone = new EventStream({ id: STANDALONE, log, sessionId });
  }

  /** The revision that was agreed on; empty before. */
  get version(): string {
    return this.#version;
  }

  /** Requests that were not answered yet. */
  get inFlight(): number {
    return this.#exchanges.size;
  }

  /** Whether the client listens to what belongs to no request. */
  get isListening(): boolean {
    return this.#standalone.isConnected;
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Whether a request with this id waits for its answer. */
  isInFlight(id: RequestId): boolean {
    return this.#exchanges.has(id);
  }

  /** Hands the messages of a POST to the server, and the response to what answers them; resolves when all are answered. */
  async post({ messages, isBatch, auth }: Posted, response: ServerResponse): Promise<void> {
    const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    const exchange = ids.length === 0 ? undefined : this.#begin(ids, isBatch, response);
    const extra = {
      ...(auth !== undefined && { authInfo: auth }),
      closeSSEStream: () => exchange?.closeStream(),
      closeStandaloneSSEStream: () => this.#standalone.disconnect(),
    };
    for (const message of messages) {
      this.onmessage?.(message, extra);
      this.#endCancelled(message);
    }
    if (exchange === undefined) response.writeHead(202).end();
    await exchange?.ended;
  }

  /** Serves the stream of what belongs to no request. */
  listen(response: ServerResponse): void {
    this.#standalone.connect(response, { primes: this.#primes() });
  }

  /** Goes on with a stream where its client lost it; an ended one is played to its end. */
  resume(position: StreamPosition, response: ServerResponse): void {
    if (position.stream === STANDALONE) {
      this.#standalone.resume(response, position);
      return;
    }
    for (const exchange of this.#exchanges.values()) {
      if (exchange.stream !== position.stream) continue;
      exchange.resume(response, position);
      return;
    }
    this.#replay(position, response);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) this.#notify(message, options?.relatedRequestId);
    else if (message.id !== undefined) this.#answer(message.id, message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.abandon('The session was closed');
    this.#exchanges.clear();
    this.#standalone.disconnect();
    this.#log.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  #begin(ids: readonly RequestId[], isBatch: boolean, response: ServerResponse): Exchange {
    this.#streams += 1;
    const stream = new EventStream({ id: this.#streams, log: this.#log, sessionId: this.sessionId });
    response.setHeader(SESSION_HEADER, this.sessionId);
    const exchange = new Exchange({ response, stream, ids, isBatch, primes: this.#primes() });
    for (const id of ids) this.#exchanges.set(id, exchange);
    return exchange;
  }

  #primes(): boolean {
    return this.#version >= PRIMING_SINCE;
  }

  #endCancelled(message: JSONRPCMessage): void {
    const id = cancelledBy(message);
    if (id === undefined) return;
    this.#exchanges.get(id)?.cancel(id);
    this.#exchanges.delete(id);
  }

  #replay({ stream, index }: StreamPosition, response: ServerResponse): void {
    const events = this.#log.after(stream, index);
    // Of a stream that has nothing more the client must not ask again.
    if (events.length === 0) response.writeHead(204).end();
    else playEvents(response, events, this.sessionId);
  }

  #notify(message: JSONRPCMessage, relatedTo: RequestId | undefined): void {
    if (relatedTo === undefined) this.#standalone.send(JSON.stringify(message));
    else this.#exchanges.get(relatedTo)?.notify(message);
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    const exchange = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    exchange?.answer(id, message);
  }
}
