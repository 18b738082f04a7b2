import type { IncomingMessage, ServerResponse } from 'node:http';

import { serverFactory, Shares, type ServerFactoryOptions } from '@org/mcp-decorators';

import type { Scoped } from '../auth/scopes.ts';
import type { EventBudget } from '../sessions/event-budget.ts';
import { assertPosted, isRequest } from '../sessions/posted-messages.ts';
import { SessionEndpoint } from '../sessions/session-endpoint.ts';
import type { SessionLimits } from '../sessions/sessions.ts';
import { SseEndpoint } from '../sessions/sse-endpoint.ts';
import { isListenRequest } from '../listen-request.ts';
import { Admission } from './admission.ts';
import type { BodyReader } from './body-reader.ts';
import type { Connections } from './connections.ts';
import { eraOf } from './era.ts';
import { headerOf } from './header.ts';
import { InFlight } from './in-flight.ts';
import { ModernHandler } from './modern-handler.ts';
import type { Protection } from './protection.ts';
import { methodNotAllowed, Refusal } from './refusal.ts';
import { takeShare } from './shortage.ts';

/** How one server object is served over HTTP. */
export interface EndpointOptions {
  readonly factory: ServerFactoryOptions;
  readonly bodies: BodyReader;
  readonly maxListeners: number;
  readonly sessions: Omit<SessionLimits, 'shares'> & { readonly maxSessions: number };
  /** Requests in progress at all endpoints of the service. */
  readonly requests: Shares;
  readonly connections: Connections;
  readonly events: EventBudget;
  /** Where clients of 2024-11-05 post; `undefined` serves none. */
  readonly ssePath: string | undefined;
  /** What is served, as far as scopes depend on it. */
  readonly served: Scoped;
  /** `undefined`: everybody may ask for everything. */
  readonly protection: Protection | undefined;
  /** Told of what goes wrong outside any request. */
  readonly onTransportError: (error: unknown) => void;
}

/** One server object at one path, in all revisions: 2026-07-28 without sessions, the others with them. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #modern: ModernHandler;
  readonly #sessions: SessionEndpoint;
  readonly #sse: SseEndpoint | undefined;
  readonly #inFlight = new InFlight();
  #closing = false;

  /** @throws DefinitionError if the object's class is not usable */
  constructor(server: object, options: EndpointOptions) {
    const { maxListeners, events, ssePath: path, onTransportError: onError } = options;
    const factory = serverFactory(server, options.factory);
    const limits = { ...options.sessions, shares: new Shares(options.sessions.maxSessions) };
    this.#options = options;
    this.#modern = new ModernHandler(server, { factory, maxListeners, onError });
    this.#sessions = new SessionEndpoint({ factory, limits, events, onError });
    if (path !== undefined) this.#sse = new SseEndpoint({ factory, limits, path, onError });
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.#sessions.size + (this.#sse?.size ?? 0);
  }

  /** Open streams of `subscriptions/listen`. */
  get listeners(): number {
    return this.#modern.streams;
  }

  /** @throws Refusal */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admitted(request, response, (admission) => {
      switch (request.method) {
        case 'POST':
          return this.#post(request, response, admission);
        case 'GET':
          return this.#listen(request, response, admission);
        case 'DELETE':
          return this.#sessions.end(request, response, admission);
        default:
          throw methodNotAllowed('GET, POST, DELETE');
      }
    });
  }

  /** Opens the stream of a session of 2024-11-05. @throws Refusal */
  async openSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') throw methodNotAllowed('GET');
    await this.#admitted(request, response, async (admission) => {
      this.#assertOpen();
      await this.#sse?.open(request, response, admission);
      admission.whenOver(() => response.end());
    });
  }

  /** Takes a message of a session of 2024-11-05. @throws Refusal */
  async postSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    await this.#admitted(request, response, async (admission) => {
      const body = await this.#read(request, admission);
      await this.#inFlight.during(async () => this.#sse?.post(request, response, body, admission));
    });
  }

  /**
   * Takes no new requests, waits until those under way are answered or the signal says that it took too long, and closes every stream.
   * Until then clients can still answer what they are asked, and cancel.
   */
  async close(hurry: AbortSignal): Promise<void> {
    this.#closing = true;
    await Promise.race([this.#inFlight.idle(), aborted(hurry)]);
    await Promise.all([this.#modern.close(), this.#sessions[Symbol.asyncDispose](), this.#sse?.[Symbol.asyncDispose]()]);
  }

  /** Serves a request and follows its token until the work is done and the response is closed. */
  async #admitted(
    request: IncomingMessage,
    response: ServerResponse,
    serve: (admission: Admission) => Promise<void> | void,
  ): Promise<void> {
    const admission = (await this.#options.protection?.admit(request)) ?? new Admission();
    this.#options.connections.identify(request.socket, admission.principal);
    let end = (): void => admission[Symbol.dispose]();
    try {
      admission.assertValid();
      end = this.#count(admission);
      await serve(admission);
    } finally {
      if (response.destroyed) end();
      else response.once('close', end);
    }
  }

  /** Counts a request of a principal until the returned function is called. @throws Refusal 503 or 429 */
  #count(admission: Admission): () => void {
    const { principal } = admission;
    if (principal === undefined) return () => admission[Symbol.dispose]();
    const release = takeShare(this.#options.requests, { principal, what: 'requests' });
    return () => {
      release();
      admission[Symbol.dispose]();
    };
  }

  #listen(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    this.#sessions.listen(request, response, admission);
    admission.whenOver(() => response.end());
  }

  async #post(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    const body = await this.#read(request, admission);
    const era = eraOf(request, body);
    if (era === 'legacy') await this.#inFlight.during(() => this.#sessions.post(request, response, body, admission));
    else if (era === 'modern' && isListenRequest(body)) await this.#modern.listen(request, response, body, admission);
    else await this.#inFlight.during(() => this.#modern.serve(request, response, body, admission));
  }

  async #read(request: IncomingMessage, admission: Admission): Promise<unknown> {
    const { bodies, protection, served } = this.#options;
    const { auth } = admission;
    const body = await bodies.readJson(request, admission.principal);
    admission.assertValid();
    assertPosted(body, headerOf(request, 'mcp-protocol-version'));
    if (auth !== undefined) protection?.assertScopes(request, { served, body, auth });
    if (Array.isArray(body) || isRequest(body)) this.#assertOpen();
    return body;
  }

  #assertOpen(): void {
    if (this.#closing) throw new Refusal(503, 'The server is shutting down', { headers: { 'Retry-After': '5' } });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
