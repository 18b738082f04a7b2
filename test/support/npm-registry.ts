import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A registry in memory that answers `npm publish` and `npm view`. */
export class NpmRegistry implements AsyncDisposable {
  /** Names of the published packages, in the order of their publication. */
  readonly published: string[] = [];
  readonly #documents = new Map<string, unknown>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<NpmRegistry> {
    const registry = new NpmRegistry();
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  get port(): number {
    // A server that listens on TCP has this kind of address.
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = decodeURIComponent(request.url ?? '').slice(1);
    if (request.method === 'PUT') {
      this.#documents.set(name, await json(request));
      this.published.push(name);
    }
    const document = this.#documents.get(name);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? { error: 'not found' }));
  }
}
