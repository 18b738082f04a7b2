import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AuthInfo } from '@modelcontextprotocol/server';

import { EventBudget } from '../sessions/event-budget.ts';
import { BodyReader } from './body-reader.ts';
import { Endpoint } from './endpoint.ts';
import { Guard } from './guard.ts';
import { bracketed, settingsOf, type HttpOptions, type HttpSettings } from './http-options.ts';
import { HttpServer, type Route } from './http-server.ts';
import { probe } from './probe.ts';

/** How many clients are connected to an {@link HttpService}. */
export interface HttpConnections {
  /** Open sessions. */
  readonly sessions: number;
  /** Open streams of `subscriptions/listen`. */
  readonly listeners: number;
  /** Events that are kept for clients that lost a connection. */
  readonly storedEvents: number;
}

const ANYWHERE = 'http://localhost';

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
 * @throws DefinitionError if a class is not usable, TypeError for a path that is none or is there already, UsageError for an allowed
 * host or origin that is no host name
 */
export async function serveHttp(mounts: Readonly<Record<string, object>>, options: HttpOptions = {}): Promise<HttpService> {
  const service = new HttpService(mounts, options);
  try {
    await service.listen();
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Server objects that are reached over HTTP, until it is closed. */
export class HttpService implements AsyncDisposable {
  readonly #settings: HttpSettings;
  readonly #events: EventBudget;
  readonly #mounts: readonly Mount[];
  readonly #server: HttpServer;
  readonly #onError: (error: unknown) => void;
  #url = '';
  #closed: Promise<void> | undefined;

  /** Made by {@link serveHttp}. */
  constructor(mounts: Readonly<Record<string, object>>, options: HttpOptions) {
    const settings = settingsOf(options);
    const { maxListeners, onTransportError, maxSessions, sessionIdle: idleMs, pingInterval: pingMs } = settings;
    const onError = (error: unknown): void => onTransportError(error instanceof Error ? error : new Error(String(error)));
    this.#settings = settings;
    this.#onError = onError;
    this.#events = new EventBudget(settings.eventBuffer);
    const sessions = { maxSessions, idleMs, pingMs };
    const endpointOptions = {
      factory: options,
      bodies: new BodyReader(settings),
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
      routes: byPath(this.#routes()),
      guard: new Guard(settings),
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
      storedEvents: this.#events.count,
    };
  }

  /** Takes connections. */
  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    const address = await this.#server.listen(host, port);
    this.#url = `http://${bracketed(host)}:${address.port}`;
  }

  /**
   * Refuses what is new with 503, waits for the calls under way, but not longer than the grace period, ends every stream and closes
   * all connections.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#server.stopKeepingAlive();
    const hurry = new AbortController();
    const grace = setTimeout(() => hurry.abort(), this.#settings.grace);
    const outcomes = await Promise.allSettled(this.#mounts.map(({ endpoint }) => endpoint.close(hurry.signal)));
    clearTimeout(grace);
    for (const outcome of outcomes) if (outcome.status === 'rejected') this.#onError(outcome.reason);
    await this.#server.close();
  }

  #routes(): readonly [string, Route][] {
    return [
      ['/healthz', probe(() => ({ status: 200, text: 'ok' }))],
      ['/readyz', probe(() => (this.#closed === undefined ? { status: 200, text: 'ready' } : { status: 503, text: 'closing' }))],
      ...this.#mounts.flatMap((mount) => this.#routesOf(mount)),
    ];
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

function byPath(routes: readonly (readonly [string, Route])[]): ReadonlyMap<string, Route> {
  const paths = new Map<string, Route>();
  for (const [path, route] of routes) {
    if (!URL.canParse(path, ANYWHERE) || new URL(path, ANYWHERE).pathname !== path)
      throw new TypeError(`${JSON.stringify(path)} is not the path of a URL, like /mcp`);
    if (paths.has(path)) throw new TypeError(`there would be several things at ${path}`);
    paths.set(path, route);
  }
  return paths;
}

/** `/git/mcp` and `sse` make `/git/sse`. */
function beside(path: string, name: string): string {
  return path.replace(/[^/]*$/, name);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
