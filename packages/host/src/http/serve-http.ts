import { Shares } from '@org/mcp-decorators';

import { Protection } from '../auth/protection.ts';
import { BodyReader } from '../http-messages/body-reader.ts';
import { createResourceUrls } from '../http-messages/resource-url.ts';
import type { Gauges } from '../info/server-information.ts';
import { EventBudget } from '../sessions/event-log.ts';
import { methodNotAllowed } from '../http-messages/http-error.ts';
import type { MetricsPage } from '../info/metrics.ts';
import { Connections } from './connections.ts';
import { RequestGuard } from './request-guard.ts';
import { toUrlHost, applyDefaults, type HttpOptions, type HttpSettings } from './http-options.ts';
import { HttpServer, type Route } from './http-server.ts';
import { Mount } from './mount.ts';

const METRICS_PATH = '/metrics';
const ANYWHERE = 'http://localhost';

/**
 * Serves server objects over HTTP, each at its path and in all revisions. Neither opens nor disposes of the objects.
 *
 * @throws DefinitionError if a class is not usable, TypeError for a path that is invalid or used twice, UsageError for an allowed host
 * or origin that is not a host name, and Node's error if it is impossible to listen on the address
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

/** A running HTTP service. */
export class HttpService implements AsyncDisposable {
  readonly #settings: HttpSettings;
  readonly #events: EventBudget;
  readonly #mounts: readonly Mount[];
  readonly #server: HttpServer;
  readonly #onError: (error: unknown) => void;
  #url = '';
  #closed: Promise<void> | undefined;

  /** Called by {@link serveHttp}. */
  constructor(mounts: Readonly<Record<string, object>>, options: HttpOptions) {
    const settings = applyDefaults(options);
    const onError = (error: unknown): void =>
      settings.onTransportError(error instanceof Error ? error : new Error(String(error)));
    const events = new EventBudget(settings.eventBuffer);
    const entries = Object.entries(mounts);
    const isOnly = entries.length === 1;
    this.#settings = settings;
    this.#onError = onError;
    this.#events = events;
    const bodies = new BodyReader(settings);
    const requests = new Shares(settings.maxConnections);
    const connections = new Connections();
    const common = { options, settings, events, bodies, requests, connections, isOnly, onError };
    this.#mounts = entries.map(([path, server]) => new Mount({ path, server, ...common }));
    for (const { information } of this.#mounts) information.setGaugeReader(() => this.gauges);
    this.#server = new HttpServer({
      routes: indexRoutes(this.#routes()),
      guard: new RequestGuard(settings),
      connections,
      maxConnections: settings.maxConnections,
      timeouts: { headers: settings.headersTimeout, request: settings.requestTimeout },
      onError,
    });
  }

  /** Base URL of the service, such as `http://127.0.0.1:3000`. */
  get url(): string {
    return this.#url;
  }

  /** Numbers of connections, sessions, streams and kept messages. */
  get gauges(): Required<Gauges> {
    const endpoints = this.#mounts.map(({ endpoint }) => endpoint);
    return {
      connections: this.#server.connections,
      sessions: sum(endpoints.map(({ sessions }) => sessions)),
      listenStreams: sum(endpoints.map(({ listeners }) => listeners)),
      storedEvents: this.#events.count,
      refused: this.#server.refused,
    };
  }

  /** Starts to accept connections. */
  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    const address = await this.#server.listen(host, port);
    this.#url = `http://${toUrlHost(host)}:${address.port}`;
  }

  /**
   * Rejects new requests with 503, waits for running calls within the grace period, ends every stream and closes all connections. The
   * grace period ends early when `hurried` resolves.
   */
  close(hurried?: Promise<unknown>): Promise<void> {
    return (this.#closed ??= this.#close(hurried));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(hurried: Promise<unknown> | undefined): Promise<void> {
    this.#server.stopKeepingAlive();
    const hurry = new AbortController();
    const grace = setTimeout(() => hurry.abort(), this.#settings.grace);
    void hurried?.then(() => hurry.abort());
    const outcomes = await Promise.allSettled(this.#mounts.map(({ endpoint }) => endpoint.close(hurry.signal)));
    clearTimeout(grace);
    for (const outcome of outcomes) if (outcome.status === 'rejected') this.#onError(outcome.reason);
    await this.#server.close();
  }

  #routes(): readonly (readonly [string, Route])[] {
    return [
      ['/healthz', probe(() => ({ status: 200, text: 'ok' }))],
      ['/readyz', probe(() => (this.#closed === undefined ? { status: 200, text: 'ready' } : { status: 503, text: 'closing' }))],
      ...this.#metricsRoutes(),
      ...this.#mounts.flatMap((mount) => mount.routes()),
    ];
  }

  #metricsRoutes(): readonly (readonly [string, Route])[] {
    const { metrics, authenticator, publicUrl } = this.#settings;
    if (metrics === undefined) return [];
    const protection = authenticator && new Protection(authenticator, createResourceUrls(METRICS_PATH, publicUrl));
    return [[METRICS_PATH, metricsRoute(metrics, protection)]];
  }
}

function indexRoutes(routes: readonly (readonly [string, Route])[]): ReadonlyMap<string, Route> {
  const paths = new Map<string, Route>();
  for (const [path, route] of routes) {
    if (!URL.canParse(path, ANYWHERE) || new URL(path, ANYWHERE).pathname !== path)
      throw new TypeError(`${JSON.stringify(path)} is not a valid URL path such as /mcp`);
    if (paths.has(path)) throw new TypeError(`the path ${path} is used twice`);
    paths.set(path, route);
  }
  return paths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Result of a probe. */
interface Health {
  readonly status: 200 | 503;
  readonly text: string;
}

/** Creates a health probe, which needs no token and accepts every Host header. */
function probe(check: () => Health): Route {
  return {
    isOpen: true,
    serve({ method }, response) {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      const { status, text } = check();
      response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(`${text}\n`);
    },
  };
}

/** Creates the route of the metrics page, which requires a token if the server requires tokens. */
function metricsRoute(page: MetricsPage, protection: Protection | undefined): Route {
  return {
    async serve(request, response) {
      if (request.method !== 'GET') throw methodNotAllowed('GET');
      const admission = await protection?.admit(request);
      admission?.[Symbol.dispose]();
      const text = await page.read();
      response.writeHead(200, { 'Content-Type': page.contentType }).end(text);
    },
  };
}
