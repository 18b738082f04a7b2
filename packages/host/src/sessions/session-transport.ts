import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage, MessageExtraInfo, RequestId, TransportSendOptions } from '@modelcontextprotocol/server';

import { createCancellation, readCancelledId } from '../protocol/json-rpc.ts';
import type { TextTransport } from '../protocol/text-transport.ts';
import { TOKEN_ENDED, type Admission } from '../auth/admission.ts';
import type { EventPosition } from './event-id.ts';
import type { EventLog } from './event-log.ts';
import { EventStream, SESSION_HEADER, unknownEvent } from './event-stream.ts';
import { PostResponse } from './post-response.ts';
import { unknownSession } from './session.ts';

/** First revision whose clients support events without data. */
const PRIMING_SINCE = '2025-11-25';

/** Id of the stream for messages that belong to no request. */
const STANDALONE = 0;

/** The contents of one POST. */
interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  readonly isBatch: boolean;
  readonly admission: Admission;
}

/** The transport of one session over Streamable HTTP (2025-03-26 to 2025-11-25). */
export class SessionTransport implements TextTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly #log: EventLog;
  readonly #standalone: EventStream;
  readonly #responses = new Map<RequestId, PostResponse>();
  #streams = STANDALONE;
  #version = '';
  #closed = false;

  constructor(sessionId: string, log: EventLog) {
    this.sessionId = sessionId;
    this.#log = log;
    this.#standalone = new EventStream({ id: STANDALONE, log, sessionId });
  }

  /** Negotiated revision; empty before `initialize`. */
  get version(): string {
    return this.#version;
  }

  /** Whether a connected client waits for a response. */
  get isAwaited(): boolean {
    if (this.#responses.size === 0) return false;
    return this.isListening || [...this.#responses.values()].some((posted) => posted.isConnected);
  }

  /** Whether the client has opened the stream for messages that belong to no request. */
  get isListening(): boolean {
    return this.#standalone.isConnected;
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Number of unanswered requests. */
  get inFlight(): number {
    return this.#responses.size;
  }

  /** Whether a request with this id is unanswered. */
  isInFlight(id: RequestId): boolean {
    return this.#responses.has(id);
  }

  /**
   * Passes the messages of a POST on to the server. Resolves when all of its requests are answered or cancelled.
   *
   * @throws HttpError 404 if the session is already closed
   */
  async post({ messages, isBatch, admission }: Posted, response: ServerResponse): Promise<void> {
    if (this.#closed) throw unknownSession();
    const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    const posted = ids.length === 0 ? undefined : this.#begin(ids, isBatch, response);
    const { auth } = admission;
    if (posted !== undefined) admission.onTokenEnd(() => this.#revoke(posted));
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => posted?.closeStream() };
    for (const message of messages) {
      this.pass(message, extra);
      this.#endCancelled(message);
    }
    if (posted === undefined) response.writeHead(202).end();
    await posted?.ended;
  }

  /** Serves the stream for messages that belong to no request. */
  listen(response: ServerResponse): void {
    this.#standalone.connect(response, { primes: this.#primes() });
  }

  /**
   * Continues a stream after the last event that the client received. A stream that has ended is sent up to its end.
   *
   * @throws HttpError 400 for an event that this session never sent
   */
  resume(position: EventPosition, response: ServerResponse): void {
    if (position.generation !== this.generation) {
      this.resumeEarlier(position, response);
      return;
    }
    const { stream: id, index } = position;
    const stream = this.#findStream(id);
    if (id > this.#streams || stream?.has(index) === false) throw unknownEvent();
    if (stream === undefined) this.#replay(id, index, response);
    else stream.resume(response, index);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if ('method' in message) this.#notify(message, options?.relatedRequestId);
    else if (message.id !== undefined) this.#answer(message.id, JSON.stringify(message));
    return Promise.resolve();
  }

  sendText(text: string, message: JSONRPCMessage): Promise<void> {
    if (!this.#closed && 'id' in message && message.id !== undefined) this.#answer(message.id, text);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const posted of new Set(this.#responses.values())) posted.abandon('The session was closed');
    this.#responses.clear();
    this.#standalone.end();
    this.#log.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Number of processes that had the session before. */
  protected get generation(): number {
    return this.#log.generation;
  }

  /** Passes a message of the client, or the cancellation of its request, on to the server. */
  protected pass(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    this.onmessage?.(message, extra);
  }

  /** Returns the part of event ids that names the requests of a POST. */
  protected nameRequests(_ids: readonly RequestId[]): string {
    return '';
  }

  /** Continues a stream of a process that had the session before. @throws HttpError 400 if only this process had the session */
  protected resumeEarlier(_position: EventPosition, _response: ServerResponse): void {
    throw unknownEvent();
  }

  #begin(ids: readonly RequestId[], isBatch: boolean, response: ServerResponse): PostResponse {
    this.#streams += 1;
    const requests = this.nameRequests(ids);
    const stream = new EventStream({ id: this.#streams, log: this.#log, sessionId: this.sessionId, requests });
    response.setHeader(SESSION_HEADER, this.sessionId);
    const posted = new PostResponse({ response, stream, ids, isBatch, primes: this.#primes() });
    for (const id of ids) this.#responses.set(id, posted);
    return posted;
  }

  /** Aborts the requests of a POST whose token has ended, and answers each with an error. */
  #revoke(posted: PostResponse): void {
    for (const [id, { stream }] of this.#responses) {
      if (stream !== posted.stream) continue;
      this.pass(createCancellation(id, TOKEN_ENDED));
      this.#responses.delete(id);
    }
    posted.abandon(TOKEN_ENDED);
  }

  #primes(): boolean {
    return this.#version >= PRIMING_SINCE;
  }

  #endCancelled(message: JSONRPCMessage): void {
    const id = readCancelledId(message);
    if (id === undefined) return;
    this.#responses.get(id)?.cancel(id);
    this.#responses.delete(id);
  }

  /** Returns the stream if it has not ended. */
  #findStream(id: number): EventStream | undefined {
    if (id === STANDALONE) return this.#standalone;
    return [...this.#responses.values()].find(({ stream }) => stream.id === id)?.stream;
  }

  #replay(id: number, index: number, response: ServerResponse): void {
    if (this.#log.after(id, index).length === 0) {
      // Status 204 makes the client stop reconnecting: the stream has no further events.
      response.writeHead(204).end();
      return;
    }
    const stream = new EventStream({ id, log: this.#log, sessionId: this.sessionId });
    stream.resume(response, index);
    stream.end();
  }

  #notify(message: JSONRPCMessage, relatedTo: RequestId | undefined): void {
    if (relatedTo === undefined) this.#standalone.send(JSON.stringify(message));
    else this.#responses.get(relatedTo)?.notify(message);
  }

  #answer(id: RequestId, json: string): void {
    const posted = this.#responses.get(id);
    // A rejected session has no id that the client could use.
    if (this.#version === '') posted?.removeHeader(SESSION_HEADER);
    posted?.answer(id, json);
    this.#responses.delete(id);
  }
}
