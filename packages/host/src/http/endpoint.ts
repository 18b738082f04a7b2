import type { IncomingMessage, ServerResponse } from 'node:http';

import { serverFactory, Shares, type ScopedServer, type ServerFactoryOptions } from '@org/mcp-decorators';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';

import { Admission } from '../auth/admission.ts';
import type { Protection } from '../auth/protection.ts';
import type { BodyReader } from '../http-messages/body-reader.ts';
import { methodNotAllowed, HttpError } from '../http-messages/http-error.ts';
import { getHeader } from '../http-messages/request-headers.ts';
import { takeShare } from '../http-messages/take-share.ts';
import { isRequest } from '../protocol/json-rpc.ts';
import { isListenRequest } from '../protocol/validate-message.ts';
import type { EventBudget } from '../sessions/event-log.ts';
import { assertValidBody } from '../sessions/posted-messages.ts';
import { SessionEndpoint } from '../sessions/session-endpoint.ts';
import type { SessionLimits } from '../sessions/sessions.ts';
import type { SharedSessions } from '../shared-state/shared-sessions.ts';
import { SseEndpoint } from '../sessions/sse-endpoint.ts';
import { STATELESS_REVISION } from '../protocol/revisions.ts';
import type { Connections } from './connections.ts';
import { ModernHandler } from './modern-handler.ts';

/** Options for serving one server object over HTTP. */
export interface EndpointOptions {
  readonly factory: ServerFactoryOptions;
  readonly bodies: BodyReader;
  readonly maxListeners: number;
  readonly sessions: Omit<SessionLimits, 'shares'> & { readonly maxSessions: number };
  /** Requests in progress at all endpoints of the service. */
  readonly requests: Shares;
  readonly connections: Connections;
  readonly events: EventBudget;
  /** Sessions that other processes can continue; `undefined` if only this process knows its sessions. */
  readonly sharedSessions: SharedSessions | undefined;
  /** Path to which clients of 2024-11-05 post messages; `undefined` if such clients are not served. */
  readonly ssePath: string | undefined;
  /** The parts of the server object that determine which scopes a request needs. */
  readonly served: ScopedServer;
  /** Authorization of requests by access token; `undefined` if requests need no token. */
  readonly protection: Protection | undefined;
  /** Receives errors that belong to no request. */
  readonly onTransportError: (error: unknown) => void;
}

/**
 * Serves one server object: protocol version 2026-07-28 without sessions, earlier versions with sessions. With `ssePath`, also serves
 * clients of 2024-11-05, at two other paths.
 */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #modern: ModernHandler;
  readonly #sessions: SessionEndpoint;
  readonly #sse: SseEndpoint | undefined;
  readonly #pending = new PendingWork();
  #closing = false;

  /** @throws DefinitionError if the object's class is not usable */
  constructor(server: object, options: EndpointOptions) {
    const { maxListeners, events, ssePath: path, sharedSessions: shared, onTransportError: onError } = options;
    const factory = serverFactory(server, options.factory);
    const limits = { ...options.sessions, shares: new Shares(options.sessions.maxSessions) };
    this.#options = options;
    this.#modern = new ModernHandler(server, { factory, maxListeners, onError });
    this.#sessions = new SessionEndpoint({ factory, limits, events, shared, onError });
    if (path !== undefined) this.#sse = new SseEndpoint({ factory, limits, path, onError });
  }

  /** Number of open sessions. */
  get sessions(): number {
    return this.#sessions.size + (this.#sse?.size ?? 0);
  }

  /** Number of open streams of `subscriptions/listen`. */
  get listeners(): number {
    return this.#modern.streams;
  }

  /** Serves a request to the path of the server object. @throws HttpError if the request is rejected */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#withAdmission(request, response, (admission) => {
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

  /** Opens the stream of a session of 2024-11-05. @throws HttpError if the request is rejected */
  async openSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') throw methodNotAllowed('GET');
    await this.#withAdmission(request, response, async (admission) => {
      this.#assertOpen();
      await this.#sse?.open(request, response, admission);
      admission.onTokenEnd(() => response.end());
    });
  }

  /** Handles a message of a session of 2024-11-05. @throws HttpError if the message is rejected */
  async postSse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    await this.#withAdmission(request, response, async (admission) => {
      const body = await this.#read(request, admission);
      await this.#pending.track(async () => this.#sse?.post(request, response, body, admission));
    });
  }

  /**
   * Rejects new requests, waits until the requests in progress are answered or the signal is aborted, and then closes
   * every stream. During the wait, clients can still cancel requests and answer requests of the server.
   */
  async close(hurry: AbortSignal): Promise<void> {
    this.#closing = true;
    await this.#sessions.release();
    await Promise.race([this.#pending.whenIdle(), whenAborted(hurry)]);
    await Promise.all([this.#modern.close(), this.#sessions[Symbol.asyncDispose](), this.#sse?.[Symbol.asyncDispose]()]);
  }

  /** Serves a request and follows its token until the work is done and the response is closed. */
  async #withAdmission(
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

  /**
   * Counts a request of a principal until the returned function is called, which also stops following the token.
   *
   * @throws HttpError 503 if too many requests are in progress, 429 if this principal has reached its share
   */
  #count(admission: Admission): () => void {
    const { principal } = admission;
    if (principal === undefined) return () => admission[Symbol.dispose]();
    const release = takeShare(this.#options.requests, { principal, what: 'requests' });
    return () => {
      release();
      admission[Symbol.dispose]();
    };
  }

  async #listen(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    admission.onTokenEnd(() => response.end());
    await this.#sessions.listen(request, response, admission);
  }

  async #post(request: IncomingMessage, response: ServerResponse, admission: Admission): Promise<void> {
    const body = await this.#read(request, admission);
    const era = detectEra(request, body);
    if (era === 'legacy') await this.#pending.track(() => this.#sessions.post(request, response, body, admission));
    else if (era === 'modern' && isListenRequest(body)) await this.#modern.listen(request, response, body, admission);
    else await this.#pending.track(() => this.#modern.serve(request, response, body, admission));
  }

  async #read(request: IncomingMessage, admission: Admission): Promise<unknown> {
    const { bodies, protection, served } = this.#options;
    const { auth } = admission;
    const body = await bodies.readJson(request, admission.principal);
    admission.assertValid();
    assertValidBody(body, getHeader(request, 'mcp-protocol-version'));
    if (auth !== undefined) protection?.assertScopes(request, { served, body, auth });
    if (Array.isArray(body) || isRequest(body)) this.#assertOpen();
    return body;
  }

  #assertOpen(): void {
    if (this.#closing) throw new HttpError(503, 'The server is shutting down', { headers: { 'Retry-After': '5' } });
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Counts pending operations and reports when all of them have settled. */
export class PendingWork {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  /** Counts the operation until it is settled. */
  async track<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#release();
    }
  }

  /** Resolves when no operation is pending. */
  whenIdle(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

type Era = 'legacy' | 'modern' | 'reject';

/** Detects which handler answers a posted body: sessions (`legacy`), or the handler of 2026-07-28 (`modern` and `reject`). */
export function detectEra(request: IncomingMessage, body: unknown): Era {
  // A batch belongs to a session, which limits its size. The SDK would instead read every message of a batch of any
  // size.
  if (Array.isArray(body)) return 'legacy';
  const version = getHeader(request, 'mcp-protocol-version');
  return detectEraOfCall(body, version) ?? classify(body, version);
}

/**
 * Detects the era of a tool call whose header and `_meta` agree about the era, without reading the rest. Returns
 * `undefined` for other bodies.
 */
function detectEraOfCall(body: unknown, version = ''): Era | undefined {
  const params = getCallParams(body);
  const isNamed = params && namesRevision(params);
  if (isNamed !== version >= STATELESS_REVISION) return undefined;
  return isNamed ? 'modern' : 'legacy';
}

function getCallParams(body: unknown): object | undefined {
  if (!isRequest(body) || body.method !== 'tools/call') return undefined;
  if (!('jsonrpc' in body) || body.jsonrpc !== '2.0') return undefined;
  return 'params' in body && isObject(body.params) ? body.params : undefined;
}

function namesRevision(params: object): boolean | undefined {
  if (!('_meta' in params)) return false;
  return isObject(params._meta) && !Array.isArray(params._meta) ? PROTOCOL_VERSION_META_KEY in params._meta : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function classify(body: unknown, version: string | undefined): Era {
  const message = { httpMethod: 'POST', body, ...(version !== undefined && { protocolVersionHeader: version }) };
  return classifyInboundRequest(message).kind;
}
