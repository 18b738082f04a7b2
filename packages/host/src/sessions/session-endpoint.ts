import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Admission } from '../auth/admission.ts';
import { HttpError } from '../http-messages/http-error.ts';
import { assertAccepts, getHeader } from '../http-messages/request-headers.ts';
import { ProtocolTransport } from '../protocol/protocol-transport.ts';
import type { ProtocolFactory } from '../protocol/serve-connection.ts';
import type { ForwardedRequest } from '../http-messages/forward-request.ts';
import { parseEventId } from './event-id.ts';
import { EventLog, type EventBudget } from './event-log.ts';
import { SESSION_HEADER, unknownEvent } from './event-stream.ts';
import { isInitialize, parsePostedMessages } from './posted-messages.ts';
import { SessionTransport } from './session-transport.ts';
import { Session } from './session.ts';
import { Sessions, type SessionLimits } from './sessions.ts';
import { SessionLocator, type SoughtSession, type TakenSession } from './session-locator.ts';
import { SharedSessionTransport } from './shared-session-transport.ts';
import type { SharedSessions } from '../shared-state/shared-sessions.ts';

export interface SessionEndpointOptions {
  readonly factory: ProtocolFactory;
  readonly limits: SessionLimits;
  readonly events: EventBudget;
  /** Sessions that other processes can continue. Default: only this process knows its sessions. */
  readonly shared?: SharedSessions | undefined;
  readonly onError: (error: Error) => void;
}

/** Serves sessions over Streamable HTTP: 2025-03-26 to 2025-11-25. */
export class SessionEndpoint implements AsyncDisposable {
  readonly #options: SessionEndpointOptions;
  readonly #sessions: Sessions<SessionTransport>;
  readonly #locator: SessionLocator | undefined = undefined;

  constructor(options: SessionEndpointOptions) {
    const { limits, shared, onError } = options;
    this.#options = options;
    this.#sessions = new Sessions(limits, onError, (id) => void shared?.forget(id));
    if (shared === undefined) return;
    shared.connect({ lose: (id) => this.#sessions.close(id) });
    this.#locator = this.#createLocator(shared);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Handles a POST. Resolves when all of its requests are answered or cancelled. @throws HttpError if the POST is rejected */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    assertAccepts(request, ['application/json', 'text/event-stream']);
    if (isInitialize(body)) {
      await this.#initialize(request, response, body, admission);
      return;
    }
    const session = await this.#findSession({ request, response, body }, admission);
    if (session === undefined) return;
    const messages = parsePostedMessages(body, session.wire);
    await session.wire.post({ messages, isBatch: Array.isArray(body), admission }, response);
    session.touch();
  }

  /**
   * Serves the stream for messages that belong to no request, or the rest of a lost stream.
   *
   * @throws HttpError if the request is rejected, for example 409 if the stream is already open
   */
  async listen(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    assertAccepts(request, ['text/event-stream']);
    const session = await this.#findSession({ request, response }, admission);
    if (session === undefined) return;
    const { wire } = session;
    const last = getHeader(request, 'last-event-id');
    if (last !== undefined) {
      const position = parseEventId(last);
      if (position === undefined) throw unknownEvent();
      wire.resume(position, response);
    } else if (wire.isListening) throw new HttpError(409, 'This session already has an open stream');
    else wire.listen(response);
  }

  /** Ends a session and aborts its requests. @throws HttpError if the request is rejected */
  async end(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    const session = await this.#findSession({ request, response }, admission);
    if (session === undefined) return;
    // The record is deleted first: otherwise, another process could continue the session after the client has ended it.
    await this.#options.shared?.forget(session.id);
    await session.close();
    response.writeHead(200).end();
  }

  /** Gives up the shared sessions, so that other processes continue them while this one closes. */
  async release(): Promise<void> {
    await this.#options.shared?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.shared?.[Symbol.dispose]();
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #initialize(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    if (getHeader(request, SESSION_HEADER) !== undefined) throw new HttpError(400, 'The session is already initialized');
    const messages = parsePostedMessages(body);
    const session = await this.#open(() => this.#createWire(admission), admission);
    await session.wire.post({ messages, isBatch: false, admission }, response);
    // A rejected session is closed, because the client does not know its id.
    if (session.wire.version === '') await session.close();
  }

  #createLocator(shared: SharedSessions): SessionLocator {
    return new SessionLocator(shared, (taken, admission) =>
      this.#open(() => this.#createSharedWire(shared, admission, taken), admission),
    );
  }

  /** Opens a session with a transport. @throws HttpError for too many sessions */
  async #open<Wire extends SessionTransport>(createWire: () => Wire, admission: Admission): Promise<Session<Wire>> {
    const { factory, onError } = this.#options;
    const create = (): Session<Wire> => {
      const wire = createWire();
      const transport = new ProtocolTransport(wire, { onError, maxResult: Infinity });
      return new Session({ wire, transport, server: factory({ era: 'legacy' }), principal: admission.principalKey });
    };
    return await this.#sessions.open(create, admission.principal);
  }

  #createWire(admission: Admission): SessionTransport {
    const { shared, events } = this.#options;
    if (shared !== undefined) return this.#createSharedWire(shared, admission);
    return new SessionTransport(randomUUID(), new EventLog(events, admission.principal));
  }

  #createSharedWire(shared: SharedSessions, admission: Admission, taken?: TakenSession): SharedSessionTransport {
    const { id = randomUUID(), record } = taken ?? {};
    const log = new EventLog(this.#options.events, admission.principal, record?.generation);
    return new SharedSessionTransport(id, log, (state) => shared.save(id, admission.principalKey, state), record?.state);
  }

  async #isAnsweredElsewhere(locator: SessionLocator, sought: SoughtSession): Promise<boolean> {
    await locator.settled(sought.id);
    return !this.#sessions.has(sought.id) && (await locator.isAnsweredElsewhere(sought));
  }

  /**
   * Returns the session of a request, or `undefined` if another process has answered the request.
   *
   * @throws HttpError 400 if the session id is missing or the revision is wrong, 404 for an unknown session, and the errors
   * of {@link SessionLocator.isAnsweredElsewhere}
   */
  async #findSession(received: ForwardedRequest, admission: Admission): Promise<Session<SessionTransport> | undefined> {
    const { request } = received;
    const id = getHeader(request, SESSION_HEADER);
    if (id === undefined) throw new HttpError(400, 'The Mcp-Session-Id header is missing; initialize a session first');
    if (this.#locator !== undefined && (await this.#isAnsweredElsewhere(this.#locator, { id, received, admission })))
      return undefined;
    const session = this.#sessions.find(id, admission.principalKey);
    assertVersion(request, session.wire.version);
    return session;
  }
}

function assertVersion(request: IncomingMessage, negotiated: string): void {
  const version = getHeader(request, 'mcp-protocol-version');
  if (version !== undefined && version !== negotiated)
    throw new HttpError(400, `The MCP-Protocol-Version header must be ${negotiated}, the version of this session`);
}
