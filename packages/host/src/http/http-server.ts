import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { allowOrigin, answerPreflight, assertAllowed, type GuardOptions } from './guard.ts';
import { Refusal } from './refusal.ts';

/** What is served at a path. */
export interface Route {
  /** Whether anybody may ask, by any name: probes, and pages that look for where to get a token. */
  readonly isOpen?: boolean;
  /** Answers, or throws a {@link Refusal}. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

/** How long a client may take, in milliseconds. */
interface HttpTimeouts {
  /** To send the headers of a request. */
  readonly headers: number;
  /** To send all of a request. */
  readonly request: number;
}

export interface HttpServerOptions {
  /** By path. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly guard: GuardOptions;
  readonly timeouts: HttpTimeouts;
  /** Told of what is answered with 500. */
  readonly onError: (error: unknown) => void;
}

/** Slow clients are looked for so often. */
const CHECK_INTERVAL_MS = 500;

/** For a client to read what was written before the end. */
const FLUSH_MS = 1000;

/** Routes over HTTP/1.1: who may ask is decided before anything is read. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #refused = new Map<number, number>();
  #connections = 0;
  #closed: Promise<unknown> | undefined;

  constructor(options: HttpServerOptions) {
    const { headers, request } = options.timeouts;
    this.#options = options;
    this.#server = createServer(
      { headersTimeout: headers, requestTimeout: request, connectionsCheckingInterval: CHECK_INTERVAL_MS },
      (asked, response) => void this.#answer(asked, response),
    );
    this.#server.on('connection', (socket) => {
      this.#connections += 1;
      socket.once('close', () => (this.#connections -= 1));
    });
  }

  /** Open connections. */
  get connections(): number {
    return this.#connections;
  }

  /** How often requests were refused, by status. */
  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused);
  }

  /** Resolves once connections are taken. Rejects if the address cannot be had. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no address');
    return address;
  }

  /** Takes no new connections and closes those on which nothing is under way; the others once it is done. */
  stopAccepting(): void {
    this.#closed = once(this.#server, 'close');
    this.#server.close();
  }

  /** Closes what is left, a second after the last answers were handed to Node. */
  async close(): Promise<void> {
    const patience = setTimeout(() => this.#server.closeAllConnections(), FLUSH_MS);
    this.#server.closeIdleConnections();
    await this.#closed;
    clearTimeout(patience);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#closed !== undefined) response.shouldKeepAlive = false;
    // A client that goes while it is answered is no error of anybody here.
    response.on('error', () => undefined);
    try {
      await this.#route(request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.onError(error);
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal server error', { code: -32_603 });
      this.#refused.set(refusal.status, (this.#refused.get(refusal.status) ?? 0) + 1);
      refusal.answer(response);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { routes, guard } = this.#options;
    const route = routes.get(pathOf(request));
    if (route?.isOpen !== true) {
      assertAllowed(request, guard);
      allowOrigin(request, response);
    }
    if (route === undefined) throw new Refusal(404, 'There is nothing at this path');
    if (request.method === 'OPTIONS') answerPreflight(request, response);
    else await route.serve(request, response);
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?', 1);
  return path;
}
