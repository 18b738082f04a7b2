import { Protection } from '../auth/protection.ts';
import { methodNotAllowed } from '../http-messages/http-error.ts';
import { findReachableHost } from '../http-messages/listen-address.ts';
import { createResourceUrls } from '../http-messages/resource-url.ts';
import type { MetricsPage } from '../info/metrics.ts';
import type { Gauges } from '../info/server-information.ts';
import { toUrlHost, type HttpOptions } from './http-options.ts';
import { HttpServer } from './http-server.ts';
import { Mounts } from './mounts.ts';
import { RequestGuard } from './request-guard.ts';
import { indexRoutes, Router, type Route } from './router.ts';
import { startPage } from './start-page.ts';

const METRICS_PATH = '/metrics';

/** A running HTTP service. */
export class HttpService implements AsyncDisposable {
  readonly #mounts: Mounts;
  readonly #server: HttpServer;
  #url = '';
  #closed: Promise<void> | undefined;

  /** Called by `serveHttp`. */
  constructor(servers: Readonly<Record<string, object>>, options: HttpOptions) {
    const mounts = new Mounts(servers, options);
    const { settings, connections, onError } = mounts;
    this.#mounts = mounts;
    mounts.setGaugeReader(() => this.gauges);
    this.#server = new HttpServer({
      router: new Router({ routes: indexRoutes(this.#routes(servers)), guard: new RequestGuard(settings), onError }),
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

  /** Numbers of connections, sessions, streams, kept messages, and rejected requests and connections. */
  get gauges(): Required<Gauges> {
    return { connections: this.#server.connections, ...this.#mounts.gauges, refused: this.#server.refused };
  }

  /** Starts to accept connections. */
  async listen(): Promise<void> {
    const { host, port } = this.#mounts.settings;
    const address = await this.#server.listen(host, port);
    this.#url = `http://${toUrlHost(host)}:${address.port}`;
    this.#mounts.setPeerUrl(`http://${toUrlHost(findReachableHost(host))}:${address.port}`);
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
    await this.#mounts.close(hurried);
    await this.#server.close();
  }

  #routes(servers: Readonly<Record<string, object>>): readonly (readonly [string, Route])[] {
    const { publicUrl } = this.#mounts.settings;
    return [
      ...(Object.hasOwn(servers, '/') ? [] : [['/', startPage(servers, publicUrl)] as const]),
      ['/healthz', probe(() => ({ status: 200, text: 'ok' }))],
      ['/readyz', probe(() => (this.#mounts.isClosing ? { status: 503, text: 'closing' } : { status: 200, text: 'ready' }))],
      ...this.#metricsRoutes(),
      ...this.#mounts.routes(),
    ];
  }

  #metricsRoutes(): readonly (readonly [string, Route])[] {
    const { metrics, authenticator, publicUrl } = this.#mounts.settings;
    if (metrics === undefined) return [];
    const protection = authenticator && new Protection(authenticator, createResourceUrls(METRICS_PATH, publicUrl));
    return [[METRICS_PATH, metricsRoute(metrics, protection)]];
  }
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
