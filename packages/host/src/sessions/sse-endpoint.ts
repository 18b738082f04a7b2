import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Admission } from '../http/admission.ts';
import { assertAccepts } from '../http/accept.ts';
import type { ProtocolFactory } from '../protocol-factory.ts';
import { RevisionTransport } from '../wire/revision-transport.ts';
import { postedMessages } from './posted-messages.ts';
import { principalKey } from './principal-key.ts';
import { Session } from './session.ts';
import { Sessions, type SessionLimits } from './sessions.ts';
import { SseTransport } from './sse-transport.ts';

export interface SseEndpointOptions {
  readonly factory: ProtocolFactory;
  readonly limits: SessionLimits;
  /** Where clients post. */
  readonly path: string;
  readonly onError: (error: Error) => void;
}

/** Serves sessions over HTTP with server-sent events, for clients of 2024-11-05. */
export class SseEndpoint implements AsyncDisposable {
  readonly #options: SseEndpointOptions;
  readonly #sessions: Sessions<SseTransport>;

  constructor(options: SseEndpointOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.limits, options.onError);
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session for as long as the response lasts. @throws Refusal */
  async open(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    assertAccepts(request, ['text/event-stream']);
    const { id, wire } = await this.#sessions.open(() => this.#create(response, admission), admission.principal);
    wire.tell(`${this.#options.path}?sessionId=${id}`);
  }

  /** Takes a message, whose answer comes on the session's stream; resolves when it has come. @throws Refusal */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
    const { wire } = this.#sessions.find(id, principalKey(admission.auth));
    const answered = postedMessages(body, wire).map((message) => wire.receive(message, admission));
    response.writeHead(202).end();
    await Promise.all(answered);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  #create(response: ServerResponse, admission: Admission): Session<SseTransport> {
    const wire = new SseTransport(randomUUID(), response);
    const { factory, onError } = this.#options;
    const transport = new RevisionTransport(wire, { onError, maxResult: Infinity });
    return new Session({ wire, transport, server: factory({ era: 'legacy' }), principal: principalKey(admission.auth) });
  }
}
