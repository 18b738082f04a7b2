import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a proxy does with what the server sends. */
export type Answering = (chunk: Buffer, to: Socket) => void;

/** Sees what a client sends on a new connection. */
export type Watching = () => (chunk: Buffer) => void;

/** A way to a socket or port that can be slow, deaf or break off. */
export class Proxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: string | number, answering: Answering, watching: Watching) {
    this.#server = createServer((client) => {
      const server = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
      client.on('data', watching());
      client.pipe(server);
      server.on('data', (chunk: Buffer) => answering(chunk, client));
      this.#keep(client, server);
      this.#keep(server, client);
    });
  }

  static async to(target: string | number, answering: Answering, watching: Watching = unseen): Promise<Proxy> {
    const proxy = new Proxy(target, answering, watching);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}

function unseen(): () => void {
  return () => undefined;
}
