import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AuthInfo } from '@modelcontextprotocol/server';

import { headerOf } from '../http/header.ts';
import { INVALID_REQUEST, Refusal } from '../http/refusal.ts';
import type { ProtocolFactory } from '../protocol-factory.ts';
import type { EventBudget } from './event-budget.ts';
import { EventLog } from './event-log.ts';
import { parseEventId, SESSION_HEADER } from './event-stream.ts';
import { RevisionTransport } from '../wire/revision-transport.ts';
import { isInitialize, postedMessages } from './posted-messages.ts';
import { principalKey } from './principal-key.ts';
import { Session } from './session.ts';
import { SessionTransport } from './session-transport.ts';
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

  /** Resolves when every request of the POST is answered. @throws Refusal */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, auth: AuthInfo | undefined): Promise<void> {
    assertAccepts(request, ['application/json', 'text/event-stream']);
    const session = isInitialize(body) ? await this.#open(request, auth) : this.#sessionOf(request, auth);
    const messages = postedMessages(body, session.wire);
    await session.wire.post({ messages, isBatch: Array.isArray(body), auth }, response);
    session.touch();
    // It has not been initialized, and nobody knows its id.
    if (session.wire.version === '') await session.close();
  }

  /** Serves the stream of what belongs to no request, or what is left of a stream that was lost. @throws Refusal */
  listen(request: IncomingMessage, response: ServerResponse, auth: AuthInfo | undefined): void {
    assertAccepts(request, ['text/event-stream']);
    const { wire } = this.#sessionOf(request, auth);
    const last = headerOf(request, 'last-event-id');
    if (last !== undefined) {
      const position = parseEventId(last);
      if (position === undefined) throw new Refusal(400, 'The Last-Event-ID is not one of this server');
      wire.resume(position, response);
    } else if (wire.isListening) throw new Refusal(409, 'This session has its stream already; one is enough');
    else wire.listen(response);
  }

  /** Ends a session, and whatever is under way in it. @throws Refusal */
  async end(request: IncomingMessage, response: ServerResponse, auth: AuthInfo | undefined): Promise<void> {
    await this.#sessionOf(request, auth).close();
    response.writeHead(200).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #open(request: IncomingMessage, auth: AuthInfo | undefined): Promise<Session<SessionTransport>> {
    if (headerOf(request, SESSION_HEADER) !== undefined)
      throw new Refusal(400, 'This session is initialized already', { code: INVALID_REQUEST });
    this.#sessions.assertRoom();
    const { factory, events, onError } = this.#options;
    const wire = new SessionTransport(randomUUID(), new EventLog(events));
    const transport = new RevisionTransport(wire, { onError });
    const server = factory({ era: 'legacy' });
    const session = new Session({ wire, transport, server, principal: principalKey(auth) });
    transport.onclose = () => this.#sessions.forget(session);
    await session.connect();
    this.#sessions.add(session);
    return session;
  }

  #sessionOf(request: IncomingMessage, auth: AuthInfo | undefined): Session<SessionTransport> {
    const id = headerOf(request, SESSION_HEADER);
    if (id === undefined) throw new Refusal(400, 'The Mcp-Session-Id header is missing; initialize a session first');
    const session = this.#sessions.find(id, principalKey(auth));
    const version = headerOf(request, 'mcp-protocol-version');
    const agreed = session.wire.version;
    if (version !== undefined && version !== agreed)
      throw new Refusal(400, `The MCP-Protocol-Version header is not ${agreed}, which this session has agreed on`);
    return session;
  }
}

function assertAccepts(request: IncomingMessage, types: readonly string[]): void {
  const accepted = headerOf(request, 'accept') ?? '*/*';
  const missing = types.filter((type) => !accepted.includes(type) && !accepted.includes('*/*'));
  if (missing.length > 0) throw new Refusal(406, `The Accept header must list ${types.join(' and ')}`);
}
