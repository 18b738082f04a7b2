import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Admission } from '../auth/admission.ts';
import { HttpError } from '../http-messages/http-error.ts';
import { assertAccepts, getHeader } from '../http-messages/request-headers.ts';
import { ProtocolTransport } from '../protocol/protocol-transport.ts';
import type { ProtocolFactory } from '../protocol/serve-connection.ts';
import { EventLog, type EventBudget } from './event-log.ts';
import { parseEventId, SESSION_HEADER, unknownEvent } from './event-stream.ts';
import { isInitialize, parsePostedMessages } from './posted-messages.ts';
import { SessionTransport } from './session-transport.ts';
import { Session } from './session.ts';
import { Sessions, type SessionLimits } from './sessions.ts';

export interface SessionEndpointOptions {
  readonly factory: ProtocolFactory;
  readonly limits: SessionLimits;
  readonly events: EventBudget;
  readonly onError: (error: Error) => void;
}

/** Serves sessions over Streamable HTTP: 2025-03-26 to 2025-11-25. */
export class SessionEndpoint implements AsyncDisposable {
  readonly #options: SessionEndpointOptions;
  readonly #sessions: Sessions<SessionTransport>;

  constructor(options: SessionEndpointOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.limits, options.onError);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Handles a POST. Resolves when all of its requests are answered. @throws HttpError */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    assertAccepts(request, ['application/json', 'text/event-stream']);
    if (isInitialize(body)) {
      await this.#initialize(request, response, body, admission);
      return;
    }
    const session = this.#findSession(request, admission);
    const messages = parsePostedMessages(body, session.wire);
    await session.wire.post({ messages, isBatch: Array.isArray(body), admission }, response);
    session.touch();
  }

  /** Serves the stream for messages that belong to no request, or the rest of a lost stream. @throws HttpError */
  listen(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    assertAccepts(request, ['text/event-stream']);
    const { wire } = this.#findSession(request, admission);
    const last = getHeader(request, 'last-event-id');
    if (last !== undefined) {
      const position = parseEventId(last);
      if (position === undefined) throw unknownEvent();
      wire.resume(position, response);
    } else if (wire.isListening) throw new HttpError(409, 'This session already has an open stream');
    else wire.listen(response);
  }

  /** Ends a session and aborts its requests. @throws HttpError */
  async end(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    await this.#findSession(request, admission).close();
    response.writeHead(200).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #initialize(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    if (getHeader(request, SESSION_HEADER) !== undefined) throw new HttpError(400, 'The session is already initialized');
    const messages = parsePostedMessages(body);
    const session = await this.#sessions.open(() => this.#create(admission), admission.principal);
    await session.wire.post({ messages, isBatch: false, admission }, response);
    // A rejected session is closed, because the client does not know its id.
    if (session.wire.version === '') await session.close();
  }

  #create(admission: Admission): Session<SessionTransport> {
    const { factory, events, onError } = this.#options;
    const wire = new SessionTransport(randomUUID(), new EventLog(events, admission.principal));
    const transport = new ProtocolTransport(wire, { onError, maxResult: Infinity });
    return new Session({ wire, transport, server: factory({ era: 'legacy' }), principal: admission.principalKey });
  }

  #findSession(request: IncomingMessage, admission: Admission): Session<SessionTransport> {
    const id = getHeader(request, SESSION_HEADER);
    if (id === undefined) throw new HttpError(400, 'The Mcp-Session-Id header is missing; initialize a session first');
    const session = this.#sessions.find(id, admission.principalKey);
    const version = getHeader(request, 'mcp-protocol-version');
    const negotiated = session.wire.version;
    if (version !== undefined && version !== negotiated)
      throw new HttpError(400, `The MCP-Protocol-Version header must be ${negotiated}, the version of this session`);
    return session;
  }
}
