import type { IncomingMessage, ServerResponse } from 'node:http';

import { disposeServer, openServer } from '../process/server-object.ts';
import type { HttpOptions } from './http-options.ts';
import { Mounts } from './mounts.ts';
import { RequestGuard } from './request-guard.ts';
import { indexRoutes, Router } from './router.ts';
import { WebIncomingMessage, WebServerResponse } from './web-messages.ts';

/** Options that only a server which listens on a port has. */
type ListeningOption = 'host' | 'port' | 'maxConnections' | 'headersTimeout' | 'requestTimeout' | 'metrics';

/** Options for {@link createHandler}; times in milliseconds, sizes in bytes. */
export interface HandlerOptions extends Omit<HttpOptions, ListeningOption> {
  /** Path at which the application serves the handler. Default: `/mcp`. */
  readonly path?: string;
}

/**
 * Opens a server object and the extra `features` and returns a handler that serves it inside an application: in all protocol versions, with sessions,
 * subscriptions, authorization and all limits. Without `allowedHosts`, only requests to localhost, 127.0.0.1 and [::1] are accepted.
 *
 * @throws DefinitionError if the class is not usable, TypeError for an invalid path, UsageError for an allowed host or origin that is
 *   not a host name, and any error of the object's `open`
 */
export async function createHandler(server: object, options: HandlerOptions = {}): Promise<McpHandler> {
  const handler = new McpHandler(server, options);
  try {
    await openServer(server, undefined, options.features);
  } catch (error) {
    await handler.close();
    throw error;
  }
  return handler;
}

/** Serves one server object inside an application. */
export class McpHandler implements AsyncDisposable {
  /** Paths that the application has to route to the handler: the path of the server, and those of its authorization metadata. */
  readonly paths: readonly string[];
  readonly #server: object;
  readonly #features: readonly object[] | undefined;
  readonly #mounts: Mounts;
  readonly #router: Router;
  #closed: Promise<void> | undefined;

  /** Called by {@link createHandler}. */
  constructor(server: object, { path = '/mcp', ...options }: HandlerOptions) {
    const mounts = new Mounts({ [path]: server }, options);
    const routes = indexRoutes(mounts.routes());
    const fallback = routes.get(path);
    this.paths = [...routes.keys()];
    this.#server = server;
    this.#features = options.features;
    this.#mounts = mounts;
    this.#router = new Router({
      routes,
      // An application may serve the handler below a prefix that the request does not contain.
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
