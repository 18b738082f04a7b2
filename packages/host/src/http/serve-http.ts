import { Shares } from '@org/mcp-decorators';

import type { Gauges } from '../info/gauges.ts';
import { EventBudget } from '../sessions/event-budget.ts';
import { BodyReader } from './body-reader.ts';
import { Connections } from './connections.ts';
import { Guard } from './guard.ts';
import { bracketed, settingsOf, type HttpOptions, type HttpSettings } from './http-options.ts';
import { HttpServer, type Route } from './http-server.ts';
import { metricsRoute } from './metrics-route.ts';
import { Mount } from './mount.ts';
import { probe } from './probe.ts';
import { Protection } from './protection.ts';
import { resourceAt } from './resource-of.ts';

const METRICS_PATH = '/metrics';
const ANYWHERE = 'http://localhost';

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
    for (const { information } of this.#mounts) information.readGaugesBy(() => this.gauges);
    this.#server = new HttpServer({
      routes: byPath(this.#routes()),
      guard: new Guard(settings),
      connections,
      maxConnections: settings.maxConnections,
      timeouts: { headers: settings.headersTimeout, request: settings.requestTimeout },
      onError,
    });
  }

  /** For instance `http://127.0.0.1:3000`; the paths come after it. */
  get url(): string {
    return this.#url;
  }

  /** How many clients are connected, and what is kept for them. */
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

  /** Takes connections. */
  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    const address = await this.#server.listen(host, port);
    this.#url = `http://${bracketed(host)}:${address.port}`;
  }

  /**
   * Refuses what is new with 503, waits for the calls under way, but not longer than the grace period, ends every stream and closes
   * all connections. `hurried` ends the grace period when it resolves.
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
    const protection = authenticator && new Protection(authenticator, resourceAt(METRICS_PATH, publicUrl));
    return [[METRICS_PATH, metricsRoute(metrics, protection)]];
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
