import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { listen } from './listen.ts';

/** A TCP proxy to a Unix socket. The port stays the same while the server restarts. */
export class Doorway implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isShut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(path: string): Promise<Doorway> {
    const server = createServer();
    const doorway = new Doorway(server);
    server.on('connection', (outside) => {
      if (doorway.#isShut) outside.destroy();
      else doorway.#lead(outside, connect(path));
    });
    await listen(server);
    return doorway;
  }

  get port(): number {
    const address = this.#server.address() as AddressInfo;
    return address.port;
  }

  /** Stops forwarding data on open connections without closing them, like a network that drops packets. */
  freeze(): void {
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.removeAllListeners('close');
      socket.resume();
    }
  }

  /** Closes all connections and rejects new ones. */
  shut(): void {
    this.#isShut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  reopen(): void {
    this.#isShut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.shut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #lead(outside: Socket, inside: Socket): void {
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      from.on('error', () => undefined);
      from.once('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
