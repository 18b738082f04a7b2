import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Admission } from '../auth/admission.ts';
import { assertAccepts } from '../http-messages/request-headers.ts';
import { ProtocolTransport } from '../protocol/protocol-transport.ts';
import type { ProtocolFactory } from '../protocol/serve-connection.ts';
import { parsePostedMessages } from './posted-messages.ts';
import { Session } from './session.ts';
import { Sessions, type SessionLimits } from './sessions.ts';
import { SseTransport } from './sse-transport.ts';

export interface SseEndpointOptions {
  readonly factory: ProtocolFactory;
  readonly limits: SessionLimits;
  /** Path to which clients post messages. */
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

  /** Opens a session that lasts as long as the response. @throws HttpError if the request is rejected */
  async open(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    assertAccepts(request, ['text/event-stream']);
    const { id, wire } = await this.#sessions.open(() => this.#create(response, admission), admission.principal);
    wire.sendEndpoint(`${this.#options.path}?sessionId=${id}`);
  }

  /**
   * Handles posted messages. The responses are sent on the stream of the session; resolves when all are sent.
   *
   * @throws HttpError if the messages are rejected
   */
  async post(request: IncomingMessage, response: ServerResponse, body: unknown, admission: Admission): Promise<void> {
    const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
    const { wire } = this.#sessions.find(id, admission.principalKey);
    const answered = parsePostedMessages(body, wire).map((message) => wire.receive(message, admission));
    response.writeHead(202).end();
    await Promise.all(answered);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  #create(response: ServerResponse, admission: Admission): Session<SseTransport> {
    const wire = new SseTransport(randomUUID(), response);
    const { factory, onError } = this.#options;
    const transport = new ProtocolTransport(wire, { onError, maxResult: Infinity });
    return new Session({ wire, transport, server: factory({ era: 'legacy' }), principal: admission.principalKey });
  }
}
