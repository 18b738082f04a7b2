import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';

import { Connections } from './connections.ts';
import type { Router } from './router.ts';

/** Time limits for clients, in milliseconds. */
interface HttpTimeouts {
  /** Time limit for receiving the headers of a request. */
  readonly headers: number;
  /** Time limit for receiving a whole request, and for a client that stops reading a response. */
  readonly request: number;
}

export interface HttpServerOptions {
  readonly router: Router;
  readonly timeouts: HttpTimeouts;
  readonly connections: Connections;
  /** Maximum number of connections. A further connection replaces an idle one, or is closed if no connection is idle. */
  readonly maxConnections: number;
  /** Receives errors of the server, and reports that the limit of connections was exceeded. */
  readonly onError: (error: unknown) => void;
}

/**
 * Milliseconds for which an idle connection is kept: longer than the 60 seconds of proxies, because the side that sends
 * the next request must close the connection first.
 */
const KEEP_ALIVE_MS = 75_000;

/** Interval of the check for slow clients, in milliseconds. */
const CHECK_INTERVAL_MS = 500;

/** Minimum interval in milliseconds between reports of too many connections, so that a client cannot fill the log. */
const REPORT_INTERVAL_MS = 60_000;

/** Milliseconds for clients to read pending responses when the server closes. */
const FLUSH_MS = 1000;

/** An HTTP/1.1 server that limits the number of connections and the time of slow clients. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #headersTimeout: number;
  #refusedConnections = 0;
  #reportedFullAt = -Infinity;
  #closing = false;

  constructor(options: HttpServerOptions) {
    const { timeouts } = options;
    this.#options = options;
    this.#connections = options.connections;
    this.#headersTimeout = Math.min(timeouts.headers, timeouts.request);
    this.#server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: this.#headersTimeout,
        requestTimeout: timeouts.request,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.timeout = timeouts.request;
    // Node's own limit would reject new connections instead of closing idle ones.
    this.#server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#connections.count;
  }

  /** Number of rejected requests by status, and of rejected connections. */
  get refused(): Readonly<Record<string, number>> {
    const connections = this.#refusedConnections;
    return { ...this.#options.router.refused, ...(connections > 0 && { connections }) };
  }

  /** Resolves when the server accepts connections. Rejects with Node's error if it is impossible to listen on the address. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    // Later errors, such as EMFILE (no free file descriptors), are only reported: the server continues to serve open connections.
    this.#server.on('error', this.#options.onError);
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no address');
    return address;
  }

  /** Closes each connection after its next response. */
  stopKeepingAlive(): void {
    this.#closing = true;
    this.#connections.stopKeepingAlive();
  }

  /**
   * Stops accepting connections. Closes idle connections immediately, and the other connections after their response,
   * within one second.
   */
  async close(): Promise<void> {
    this.stopKeepingAlive();
    const closed = once(this.#server, 'close');
    const forced = setTimeout(() => this.#server.closeAllConnections(), FLUSH_MS);
    // Node's `http.Server#close` would drop responses that the client has not read. Bun's server is not a `net.Server`.
    const isNetServer: boolean = this.#server instanceof NetServer;
    if (isNetServer) NetServer.prototype.close.call(this.#server);
    else this.#server.close();
    this.#connections.closeIdle();
    await closed;
    clearTimeout(forced);
    // Stops the check for slow clients.
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that disconnects during its response is not an error.
    response.on('error', () => undefined);
    response.on('timeout', disconnectStalled);
    const turn = this.#connections.enter(request, response);
    if (turn !== undefined) await turn;
    if (this.#closing) response.shouldKeepAlive = false;
    await this.#options.router.answer(request, response);
  }

  #accept(socket: Socket): void {
    const isFull = this.#connections.count >= this.#options.maxConnections;
    if (isFull) this.#reportFull();
    if (isFull && !this.#connections.closeOneIdle()) {
      this.#refusedConnections += 1;
      socket.destroy();
    } else {
      this.#connections.add(socket);
      this.#closeIfUnused(socket);
    }
  }

  /**
   * Closes a connection on which nothing was received, shortly before Node would send status 408. A client that opened the
   * connection in advance could take this response for the response to its next request.
   */
  #closeIfUnused(socket: Socket): void {
    const close = (): unknown => socket.bytesRead === 0 && socket.destroy();
    const timer = setTimeout(close, Math.max(this.#headersTimeout / 2, this.#headersTimeout - CHECK_INTERVAL_MS)).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  #reportFull(): void {
    const { maxConnections, onError } = this.#options;
    if (performance.now() - this.#reportedFullAt < REPORT_INTERVAL_MS) return;
    this.#reportedFullAt = performance.now();
    onError(
      new Error(
        `the maximum of ${maxConnections} connections is open (--max-http-connections); a new connection replaces an idle one or is closed`,
      ),
    );
  }
}

/** Called for a connection without traffic. Disconnects the client only if it has not read a response. */
function disconnectStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
