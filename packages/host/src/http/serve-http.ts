import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AuthInfo } from '@modelcontextprotocol/server';

import { EventBudget } from '../sessions/event-budget.ts';
import { Endpoint } from './endpoint.ts';
import { bracketed, settingsOf, type HttpOptions, type HttpSettings } from './http-options.ts';
import { HttpServer, type Route } from './http-server.ts';

/** How many clients are connected to an {@link HttpService}. */
export interface HttpConnections {
  /** Open sessions. */
  readonly sessions: number;
  /** Open streams of `subscriptions/listen`. */
  readonly listeners: number;
  /** Events that are kept for clients that lost a connection. */
  readonly storedEvents: number;
}

type Authenticated = (request: IncomingMessage, response: ServerResponse, auth: AuthInfo | undefined) => Promise<void>;

interface Mount {
  readonly path: string;
  readonly endpoint: Endpoint;
}

/**
 * Serves server objects over HTTP, each at its path and in all revisions. The objects are neither opened nor disposed of.
 *
 * Rejects with what Node says of an address that cannot be had.
 *
 * @throws DefinitionError if a class is not usable
 */
export async function serveHttp(mounts: Readonly<Record<string, object>>, options: HttpOptions = {}): Promise<HttpService> {
  const service = new HttpService(mounts, options);
  await service.listen();
  return service;
}

/** Server objects that are reached over HTTP, until it is closed. */
export class HttpService implements AsyncDisposable {
  readonly #settings: HttpSettings;
  readonly #events: EventBudget;
  readonly #mounts: readonly Mount[];
  readonly #server: HttpServer;
  #url = '';
  #closed: Promise<void> | undefined;

  /** Made by {@link serveHttp}. */
  constructor(mounts: Readonly<Record<string, object>>, options: HttpOptions) {
    const settings = settingsOf(options);
    const { maxBody, maxListeners, onTransportError, maxSessions, sessionIdle: idleMs, pingInterval: pingMs } = settings;
    const onError = (error: unknown): void => onTransportError(error instanceof Error ? error : new Error(String(error)));
    this.#settings = settings;
    this.#events = new EventBudget(settings.eventBuffer);
    const sessions = { maxSessions, idleMs, pingMs };
    const endpointOptions = {
      factory: options,
      maxBody,
      maxListeners,
      sessions,
      events: this.#events,
      onTransportError: onError,
    };
    this.#mounts = Object.entries(mounts).map(([path, server]) => {
      const ssePath = settings.sse ? beside(path, 'messages') : undefined;
      return { path, endpoint: new Endpoint(server, { ...endpointOptions, ssePath }) };
    });
    this.#server = new HttpServer({
      routes: new Map(this.#routes()),
      guard: settings,
      timeouts: { headers: settings.headersTimeout, request: settings.requestTimeout },
      onError,
    });
  }

  /** For instance `http://127.0.0.1:3000`; the paths come after it. */
  get url(): string {
    return this.#url;
  }

  get connections(): HttpConnections {
    const endpoints = this.#mounts.map(({ endpoint }) => endpoint);
    return {
      sessions: sum(endpoints.map(({ sessions }) => sessions)),
      listeners: sum(endpoints.map(({ listeners }) => listeners)),
      storedEvents: this.#events.size,
    };
  }

  /** Takes connections. */
  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    const address = await this.#server.listen(host, port);
    this.#url = `http://${bracketed(host)}:${address.port}`;
  }

  /** Takes nothing new, waits for the calls under way, ends every stream and closes all connections. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#server.stopAccepting();
    const hurry = new AbortController();
    const grace = setTimeout(() => hurry.abort(), this.#settings.grace);
    await Promise.all(this.#mounts.map(({ endpoint }) => endpoint.close(hurry.signal)));
    clearTimeout(grace);
    await this.#server.close();
  }

  #routes(): readonly [string, Route][] {
    return [
      ['/healthz', { isProbe: true, serve: (_, response) => void response.end('ok\n') }],
      ['/readyz', { isProbe: true, serve: (_, response) => this.#ready(response) }],
      ...this.#mounts.flatMap((mount) => this.#routesOf(mount)),
    ];
  }

  #ready(response: ServerResponse): void {
    const isOpen = this.#closed === undefined;
    response.writeHead(isOpen ? 200 : 503, { 'Content-Type': 'text/plain' }).end(isOpen ? 'ready\n' : 'closing\n');
  }

  #routesOf({ path, endpoint }: Mount): readonly [string, Route][] {
    const main = this.#protected((...given) => endpoint.serve(...given));
    if (!this.#settings.sse) return [[path, main]];
    return [
      [path, main],
      [beside(path, 'sse'), this.#protected((...given) => endpoint.openSse(...given))],
      [beside(path, 'messages'), this.#protected((...given) => endpoint.postSse(...given))],
    ];
  }

  #protected(serve: Authenticated): Route {
    const { authenticate } = this.#settings;
    return {
      serve: async (request, response) => serve(request, response, await authenticate?.(request.headers.authorization)),
    };
  }
}

/** `/git/mcp` and `sse` make `/git/sse`. */
function beside(path: string, name: string): string {
  return path.replace(/[^/]*$/, name);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
