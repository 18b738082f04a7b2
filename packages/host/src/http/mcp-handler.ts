import type { IncomingMessage, ServerResponse } from 'node:http';

import { disposeServer } from '../process/server-object.ts';
import type { HttpOptions } from './http-options.ts';
import { Mounts } from './mounts.ts';
import { RequestGuard } from './request-guard.ts';
import { indexRoutes, Router } from './router.ts';
import { WebIncomingMessage, WebServerResponse } from './web-messages.ts';

/** Options that only a server which listens on a port has. */
type ListeningOption = 'host' | 'port' | 'maxConnections' | 'headersTimeout' | 'requestTimeout' | 'metrics';

/** Options for `createHandler`; times in milliseconds, sizes in bytes. */
export interface HandlerOptions extends Omit<HttpOptions, ListeningOption> {
  /** Path at which the application serves the handler. Default: `/mcp`. */
  readonly path?: string;
}

/** Serves one server object inside an application. */
export class McpHandler implements AsyncDisposable {
  /** Paths that the application has to route to the handler: of the server, of its authorization metadata, and for HTTP+SSE. */
  readonly paths: readonly string[];
  readonly #server: object;
  readonly #features: readonly object[] | undefined;
  readonly #mounts: Mounts;
  readonly #router: Router;
  #closed: Promise<void> | undefined;

  /** Called by `createHandler`. */
  constructor(server: object, { path = '/mcp', ...options }: HandlerOptions) {
    if (options.sharedSessions !== undefined && options.sharedSessions.peerUrl === undefined)
      throw new TypeError('sharedSessions needs a peerUrl, because a handler does not know the address of its application');
    const mounts = new Mounts({ [path]: server }, options);
    const routes = indexRoutes(mounts.routes());
    const fallback = routes.get(path);
    this.paths = [...routes.keys()];
    this.#server = server;
    this.#features = options.features;
    this.#mounts = mounts;
    this.#router = new Router({
      routes,
      // The route of the server also answers unknown paths: an application may serve the handler below a prefix that the request
      // does not contain.
      ...(fallback && { fallback }),
      guard: new RequestGuard(mounts.settings),
      onError: mounts.onError,
    });
    mounts.setGaugeReader(() => ({ ...mounts.gauges, refused: this.#router.refused }));
  }

  /**
   * Answers a request of `node:http`, Express, Fastify (`request.raw`, `reply.raw` after `reply.hijack()`) or NestJS. Never rejects.
   *
   * @param body the parsed JSON body, if the application has read it; not necessary if `request.body` contains it, as in Express.
   *   Functions are ignored, so that the handler can be passed to Express directly.
   */
  readonly node = async (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> => {
    if (body !== undefined && typeof body !== 'function') Object.assign(request, { body });
    // A client that disconnects during its response is not an error.
    response.on('error', () => undefined);
    await this.#router.answer(request, response);
  };

  /** Answers a web request, for instance in Hono. Never rejects. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const incoming = new WebIncomingMessage(request);
    const response = new WebServerResponse(incoming, request.signal);
    void this.node(incoming, response);
    return await response.answer;
  };

  /**
   * Rejects new requests with 503, waits for running calls within the grace period, ends every stream, and disposes of the server
   * object and the extra features.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await this.#mounts.close();
    await disposeServer(this.#server, this.#features);
  }
}
