import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Which server receives a request: the one that opened its session, or the next one, whatever its session. */
export type Routing = 'by session' | 'in turn';

/** A proxy that forwards requests to several servers. It skips servers that cannot be reached. */
export class RoundRobin implements AsyncDisposable {
  /** For each answered request, the index of the server that answered, in the order of the answers. */
  readonly served: number[] = [];
  readonly #targets: readonly string[];
  readonly #routing: Routing;
  readonly #server: Server;
  readonly #sessions = new Map<string, number>();
  #next = 0;

  private constructor(targets: readonly string[], routing: Routing) {
    this.#targets = targets;
    this.#routing = routing;
    this.#server = createServer((request, response) => void this.#forward(request, response));
  }

  static async before(targets: readonly string[], routing: Routing): Promise<RoundRobin> {
    const proxy = new RoundRobin(targets, routing);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = String(request.headers['mcp-session-id']);
    const body = await buffer(request);
    const first = this.#sessions.get(session) ?? this.#next++;
    const positions = this.#targets.map((_, offset) => (first + offset) % this.#targets.length);
    this.#send(positions, { request, response, body });
  }

  #send([position, ...others]: readonly number[], forwarded: Forwarded): void {
    const { request, response, body } = forwarded;
    if (position === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { method, url = '/', headers } = request;
    const sent = send(new URL(url, this.#targets[position]), { method, headers }, (answer) => {
      this.served.push(position);
      const opened = answer.headers['mcp-session-id'];
      if (opened !== undefined && this.#routing === 'by session') this.#sessions.set(String(opened), position);
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.#send(others, forwarded);
      else response.destroy();
    });
    response.once('close', () => sent.destroy());
    sent.end(body);
  }
}

/** A request, with its body, and its response. */
interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}
