import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, MessageExtraInfo, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

import { cancellation, cancelledBy } from '../cancelled-by.ts';
import { TOKEN_OVER, type Admission } from '../http/admission.ts';
import type { EventLog } from './event-log.ts';
import { EventStream, SESSION_HEADER, type StreamPosition } from './event-stream.ts';
import { Exchange } from './exchange.ts';
import { unknownEvent, unknownSession } from './session-refusals.ts';

/** From here on a client understands an event without data. */
const PRIMING_SINCE = '2025-11-25';
/** Of the stream of what belongs to no request. */
const STANDALONE = 0;

/** What came in one POST. */
export interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  readonly admission: Admission;
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

  /** Whether requests wait for their answers, and somebody is connected. */
  get isAwaited(): boolean {
    if (this.#exchanges.size === 0) return false;
    return this.isListening || [...this.#exchanges.values()].some((exchange) => exchange.isConnected);
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

  /** How many requests wait for their answers. */
  get inFlight(): number {
    return this.#exchanges.size;
  }

  /** Whether a request with this id waits for its answer. */
  isInFlight(id: RequestId): boolean {
    return this.#exchanges.has(id);
  }

  /**
   * Hands the messages of a POST to the server, and the response to what answers them; resolves when all are answered.
   *
   * @throws Refusal 404 if the session was closed meanwhile
   */
  async post({ messages, isBatch, admission }: Posted, response: ServerResponse): Promise<void> {
    if (this.#closed) throw unknownSession();
    const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    const exchange = ids.length === 0 ? undefined : this.#begin(ids, isBatch, response);
    const { auth } = admission;
    if (exchange !== undefined) admission.whenOver(() => this.#revoke(exchange));
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => exchange?.closeStream() };
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

  /**
   * Goes on with a stream where its client lost it; one that has ended is played to its end.
   *
   * @throws Refusal 400 for an event that this session never sent
   */
  resume({ stream: id, index }: StreamPosition, response: ServerResponse): void {
    const stream = this.#streamOf(id);
    if (id > this.#streams || stream?.has(index) === false) throw unknownEvent();
    if (stream === undefined) this.#replay(id, index, response);
    else stream.resume(response, index);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if ('method' in message) this.#notify(message, options?.relatedRequestId);
    else if (message.id !== undefined) this.#answer(message.id, message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.abandon('The session was closed');
    this.#exchanges.clear();
    this.#standalone.end();
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

  /** Aborts the requests of an exchange and answers each with the reason. */
  #revoke(exchange: Exchange): void {
    for (const [id, { stream }] of this.#exchanges) {
      if (stream !== exchange.stream) continue;
      this.onmessage?.(cancellation(id, TOKEN_OVER));
      this.#exchanges.delete(id);
    }
    exchange.abandon(TOKEN_OVER);
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

  /** One that is not over. */
  #streamOf(id: number): EventStream | undefined {
    if (id === STANDALONE) return this.#standalone;
    return [...this.#exchanges.values()].find(({ stream }) => stream.id === id)?.stream;
  }

  #replay(id: number, index: number, response: ServerResponse): void {
    if (this.#log.after(id, index).length === 0) {
      // Of a stream that has nothing more the client must not ask again.
      response.writeHead(204).end();
      return;
    }
    const stream = new EventStream({ id, log: this.#log, sessionId: this.sessionId });
    stream.resume(response, index);
    stream.end();
  }

  #notify(message: JSONRPCMessage, relatedTo: RequestId | undefined): void {
    if (relatedTo === undefined) this.#standalone.send(JSON.stringify(message));
    else this.#exchanges.get(relatedTo)?.notify(message);
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    const exchange = this.#exchanges.get(id);
    // Nobody can come back to a session whose opening is refused.
    if (this.#version === '') exchange?.withdraw(SESSION_HEADER);
    exchange?.answer(id, message);
    this.#exchanges.delete(id);
  }
}
