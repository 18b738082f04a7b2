import type { ServerResponse } from 'node:http';

import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

import { formatEvent, openEventStream, writeFrame } from '../http-messages/event-frames.ts';
import { INTERNAL_ERROR } from '../http-messages/http-error.ts';
import { createErrorResponse } from '../protocol/json-rpc.ts';
import { formatRequests, parseRequests, type EventPosition } from './event-id.ts';
import type { EventLog } from './event-log.ts';
import { SESSION_HEADER, unknownEvent } from './event-stream.ts';
import { SessionTransport } from './session-transport.ts';
import { unknownSession } from './session.ts';
import { SessionMemory } from './session-memory.ts';
import type { SessionState } from '../shared-state/session-record.ts';

const LOST = 'The process that ran this request has ended. The request may have taken effect: check before you repeat it';

/** Prefix of the ids of requests with which a session is restored; a client cannot have a request in flight then. */
const RESTORING = 'restore:';

/** Lists whose changes a server can announce. */
const LISTS = ['tools', 'prompts', 'resources'] as const;

/** The transport of a session that another process may continue. */
export class SharedSessionTransport extends SessionTransport {
  readonly #memory: SessionMemory;
  readonly #save: (state: SessionState) => Promise<void>;
  /** Requests with which the session is restored; each function gets the answer, or nothing when the session closes. */
  readonly #restoring = new Map<RequestId, (answer?: JSONRPCMessage) => void>();
  #asked = 0;
  #isClosed = false;

  /**
   * @param save stores the state before the client learns that it has changed. Never rejects.
   * @param state the state to restore; absent for a new session
   */
  constructor(id: string, log: EventLog, save: (state: SessionState) => Promise<void>, state?: SessionState) {
    super(id, log);
    this.#memory = new SessionMemory(state);
    this.#save = save;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#takeAnswer(message)) return;
    await this.#remember(message);
    await super.send(message, options);
  }

  override async sendText(text: string, message: JSONRPCMessage): Promise<void> {
    if (this.#takeAnswer(message)) return;
    await this.#remember(message);
    await super.sendText(text, message);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const resolve of this.#restoring.values()) resolve();
    await super.close();
  }

  /**
   * Sets the session up again as its client has set it up, and notifies the client that it may have missed changes.
   *
   * @throws HttpError 404 if the session is closed meanwhile
   */
  async restore(auth: AuthInfo | undefined): Promise<void> {
    const { initialize, level, subscribed } = this.#memory.state;
    const extra = { ...(auth !== undefined && { authInfo: auth }), closeSSEStream: () => undefined };
    const answer = await this.#ask('initialize', initialize, extra);
    super.pass({ jsonrpc: '2.0', method: 'notifications/initialized' }, extra);
    await Promise.all([
      ...(level === undefined ? [] : [this.#ask('logging/setLevel', { level }, extra)]),
      ...subscribed.map((uri) => this.#ask('resources/subscribe', { uri }, extra)),
    ]);
    for (const method of listAnnouncements(answer)) await super.send({ jsonrpc: '2.0', method });
    for (const uri of subscribed)
      await super.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  }

  protected override pass(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    this.#memory.receive(message);
    super.pass(message, extra);
  }

  protected override nameRequests(ids: readonly RequestId[]): string {
    return formatRequests(ids);
  }

  protected override resumeEarlier({ generation, stream, requests }: EventPosition, response: ServerResponse): void {
    if (generation > this.generation) throw unknownEvent();
    if (stream === 0) this.listen(response);
    else answerLost(parseRequests(requests), response, this.sessionId);
  }

  /** Stores the state if an answer changes it. The record of a session that has ended must not be stored again. */
  async #remember(message: JSONRPCMessage): Promise<void> {
    if (this.#memory.send(message) && !this.#isClosed) await this.#save(this.#memory.state);
  }

  #ask(method: string, params: JSONRPCRequest['params'], extra: MessageExtraInfo): Promise<JSONRPCMessage> {
    const id = `${RESTORING}${(this.#asked += 1)}`;
    return new Promise((resolve, reject) => {
      this.#restoring.set(id, (answer) => {
        this.#restoring.delete(id);
        if (answer === undefined) reject(unknownSession());
        else resolve(answer);
      });
      super.pass({ jsonrpc: '2.0', id, method, ...(params && { params }) }, extra);
    });
  }

  /** Takes a message that answers a request with which the session is restored. Returns `false` for any other message. */
  #takeAnswer(message: JSONRPCMessage): boolean {
    const resolve = 'method' in message || message.id === undefined ? undefined : this.#restoring.get(message.id);
    resolve?.(message);
    return resolve !== undefined;
  }
}

/**
 * Returns the methods of the notifications that the lists of a server have changed. Omits lists whose changes the server
 * does not announce, according to its answer to `initialize`.
 */
function listAnnouncements(answer: JSONRPCMessage): readonly string[] {
  const result: Readonly<Record<string, unknown>> = 'result' in answer ? answer.result : {};
  const capabilities = Object(result['capabilities']);
  return LISTS.filter((list) => Object(capabilities[list]).listChanged === true).map(
    (list) => `notifications/${list}/list_changed`,
  );
}

/** Sends an error response for each request of a process that has ended. */
function answerLost(ids: readonly RequestId[], response: ServerResponse, sessionId: string): void {
  openEventStream(response, { [SESSION_HEADER]: sessionId });
  for (const id of ids) writeFrame(response, formatEvent(JSON.stringify(createErrorResponse(id, INTERNAL_ERROR, LOST))));
  response.end();
}
