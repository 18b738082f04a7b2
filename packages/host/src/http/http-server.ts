import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';

import { Connections } from './connections.ts';
import { allowOrigin, answerPreflight } from './cross-origin.ts';
import type { Guard } from './guard.ts';
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
  /** To send all of a request, and to take any more of an answer. */
  readonly request: number;
}

export interface HttpServerOptions {
  /** By path. */
  readonly routes: ReadonlyMap<string, Route>;
  readonly guard: Guard;
  readonly timeouts: HttpTimeouts;
  readonly connections: Connections;
  /** A further connection takes the place of an idle one, or is closed if no connection is idle. */
  readonly maxConnections: number;
  /** Told of what is answered with 500, and that connections were closed because there were too many. */
  readonly onError: (error: unknown) => void;
}

/** Longer than proxies keep connections (60 seconds): who closes first must be the one that might send on it. */
const KEEP_ALIVE_MS = 75_000;

/** Slow clients are looked for so often. */
const CHECK_INTERVAL_MS = 500;

/** That there are too many connections is said no more often: who makes them could fill the log. */
const SAID_AGAIN_MS = 60_000;

/** For a client to read what was written before the end. */
const FLUSH_MS = 1000;

/** Routes over HTTP/1.1: who may ask is decided before anything is read. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #refused = new Map<number | 'connections', number>();
  #saidFull = -Infinity;
  #closing = false;

  constructor(options: HttpServerOptions) {
    const { headers, request } = options.timeouts;
    this.#options = options;
    this.#connections = options.connections;
    this.#server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: Math.min(headers, request),
        requestTimeout: request,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
      (asked, response) => void this.#answer(asked, response),
    );
    this.#server.timeout = request;
    // The limit of Node.js would refuse new clients in favour of those whose connections are idle.
    this.#server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Open connections. */
  get connections(): number {
    return this.#connections.count;
  }

  /** How often requests were refused, by status, and connections. */
  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused);
  }

  /** Resolves once connections are taken. Rejects if the address cannot be had. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    // As for want of file descriptors; others may still be served.
    this.#server.on('error', this.#options.onError);
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no address');
    return address;
  }

  /** From now on every connection closes after its answer. */
  stopKeepingAlive(): void {
    this.#closing = true;
    this.#connections.stopKeepingAlive();
  }

  /** Takes no connections any more and closes those that are open: at once, after the answer that is on its way, or in a second. */
  async close(): Promise<void> {
    this.stopKeepingAlive();
    const closed = once(this.#server, 'close');
    const patience = setTimeout(() => this.#server.closeAllConnections(), FLUSH_MS);
    // Of HTTP servers, it would break off answers that are not read yet.
    NetServer.prototype.close.call(this.#server);
    this.#connections.closeIdle();
    await closed;
    clearTimeout(patience);
    // Stops looking for slow clients.
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that goes while it is answered is no error of anybody here.
    response.on('error', () => undefined);
    response.on('timeout', disconnectStalled);
    const turn = this.#connections.enter(request, response);
    if (turn !== undefined) await turn;
    if (this.#closing) response.shouldKeepAlive = false;
    try {
      await this.#route(request, response);
    } catch (error) {
      this.#refuse(error, response);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { routes, guard } = this.#options;
    const route = routes.get(pathOf(request));
    if (route?.isOpen === true) return route.serve(request, response);
    guard.assertAllowed(request);
    allowOrigin(request, response);
    if (route === undefined) throw new Refusal(404, 'There is nothing at this path');
    return request.method === 'OPTIONS' ? answerPreflight(request, response) : route.serve(request, response);
  }

  #accept(socket: Socket): void {
    const isFull = this.#connections.count >= this.#options.maxConnections;
    if (isFull) this.#reportFull();
    if (isFull && !this.#connections.closeOneIdle()) {
      this.#count('connections');
      socket.destroy();
    } else this.#connections.add(socket);
  }

  #reportFull(): void {
    const { maxConnections, onError } = this.#options;
    if (performance.now() - this.#saidFull < SAID_AGAIN_MS) return;
    this.#saidFull = performance.now();
    onError(new Error(`${maxConnections} connections are open; idle or further connections are closed (--max-http-connections)`));
  }

  #count(reason: number | 'connections'): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  #refuse(error: unknown, response: ServerResponse): void {
    if (!(error instanceof Refusal)) this.#options.onError(error);
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal server error');
    this.#count(refusal.status);
    try {
      refusal.answer(response);
    } catch (unanswerable) {
      this.#options.onError(unanswerable);
      response.destroy();
    }
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?', 1);
  return path;
}

/** Node asks this of a connection on which nothing has moved for long: which is nobody's fault while there is nothing to send. */
function disconnectStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
