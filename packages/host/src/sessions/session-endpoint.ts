import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Admission } from '../http/admission.ts';
import { assertAccepts } from '../http/accept.ts';
import { headerOf } from '../http/header.ts';
import { Refusal } from '../http/refusal.ts';
import type { ProtocolFactory } from '../protocol-factory.ts';
import { RevisionTransport } from '../wire/revision-transport.ts';
import type { EventBudget } from './event-budget.ts';
import { EventLog } from './event-log.ts';
import { parseEventId, SESSION_HEADER } from './event-stream.ts';
import { isInitialize, postedMessages } from './posted-messages.ts';
import { principalKey } from './principal-key.ts';
import { Session } from './session.ts';
import { unknownEvent } from './session-refusals.ts';
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
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    assertAccepts(request, ['application/json', 'text/event-stream']);
    if (isInitialize(body)) {
      await this.#initialize(request, response, body, admission);
      return;
    }
    const session = this.#sessionOf(request, admission);
    const messages = postedMessages(body, session.wire);
    await session.wire.post({ messages, isBatch: Array.isArray(body), admission }, response);
    session.touch();
  }

  /** Serves the stream of what belongs to no request, or what is left of a stream that was lost. @throws Refusal */
  listen(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    assertAccepts(request, ['text/event-stream']);
    const { wire } = this.#sessionOf(request, admission);
    const last = headerOf(request, 'last-event-id');
    if (last !== undefined) {
      const position = parseEventId(last);
      if (position === undefined) throw unknownEvent();
      wire.resume(position, response);
    } else if (wire.isListening) throw new Refusal(409, 'This session has its stream already; one is enough');
    else wire.listen(response);
  }

  /** Ends a session, and whatever is under way in it. @throws Refusal */
  async end(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    await this.#sessionOf(request, admission).close();
    response.writeHead(200).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  async #initialize(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    if (headerOf(request, SESSION_HEADER) !== undefined) throw new Refusal(400, 'This session is initialized already');
    const messages = postedMessages(body);
    const session = await this.#sessions.open(() => this.#create(admission), admission.principal);
    await session.wire.post({ messages, isBatch: false, admission }, response);
    // Of a session that was refused, nobody knows the id.
    if (session.wire.version === '') await session.close();
  }

  #create(admission: Admission): Session<SessionTransport> {
    const { factory, events, onError } = this.#options;
    const wire = new SessionTransport(randomUUID(), new EventLog(events, admission.principal));
    const transport = new RevisionTransport(wire, { onError, maxResult: Infinity });
    return new Session({ wire, transport, server: factory({ era: 'legacy' }), principal: principalKey(admission.auth) });
  }

  #sessionOf(request: IncomingMessage, admission: Admission): Session<SessionTransport> {
    const id = headerOf(request, SESSION_HEADER);
    if (id === undefined) throw new Refusal(400, 'The Mcp-Session-Id header is missing; initialize a session first');
    const session = this.#sessions.find(id, principalKey(admission.auth));
    const version = headerOf(request, 'mcp-protocol-version');
    const agreed = session.wire.version;
    if (version !== undefined && version !== agreed)
      throw new Refusal(400, `The MCP-Protocol-Version header is not ${agreed}, which this session has agreed on`);
    return session;
  }
}
