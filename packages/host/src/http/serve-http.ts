import type { ServerResponse } from 'node:http';

import type { Gauges } from '../info/gauges.ts';
import { EventBudget } from '../sessions/event-budget.ts';
import { bracketed, settingsOf, type HttpOptions, type HttpSettings } from './http-options.ts';
import { HttpServer, type Route } from './http-server.ts';
import { metricsRoute } from './metrics-route.ts';
import { Mount } from './mount.ts';
import { Protection } from './protection.ts';
import { resourceAt } from './resource-of.ts';

const METRICS_PATH = '/metrics';

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
    const onError = (error: unknown): void =>
      settings.onTransportError(error instanceof Error ? error : new Error(String(error)));
    const events = new EventBudget(settings.eventBuffer);
    const entries = Object.entries(mounts);
    const isOnly = entries.length === 1;
    this.#settings = settings;
    this.#events = events;
    this.#mounts = entries.map(([path, server]) => new Mount({ path, server, options, settings, events, isOnly, onError }));
    for (const { information } of this.#mounts) information.readGaugesBy(() => this.gauges);
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

  /** How many clients are connected, and what is kept for them. */
  get gauges(): Gauges {
    const endpoints = this.#mounts.map(({ endpoint }) => endpoint);
    return {
      connections: this.#server.connections,
      sessions: sum(endpoints.map(({ sessions }) => sessions)),
      listenStreams: sum(endpoints.map(({ listeners }) => listeners)),
      storedEvents: this.#events.size,
      refused: this.#server.refused,
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

  #routes(): readonly (readonly [string, Route])[] {
    return [
      ['/healthz', { isOpen: true, serve: (_, response) => void response.end('ok\n') }],
      ['/readyz', { isOpen: true, serve: (_, response) => this.#ready(response) }],
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

  #ready(response: ServerResponse): void {
    const isOpen = this.#closed === undefined;
    response.writeHead(isOpen ? 200 : 503, { 'Content-Type': 'text/plain' }).end(isOpen ? 'ready\n' : 'closing\n');
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
