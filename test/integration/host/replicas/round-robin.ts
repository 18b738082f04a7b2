import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy that forwards requests to several servers in turn, and the requests of a session to the server that opened
 * the session.
 */
export class RoundRobin implements AsyncDisposable {
  /** The index of the server to which each request was forwarded. */
  readonly served: number[] = [];
  readonly #targets: readonly string[];
  readonly #server: Server;
  readonly #sessions = new Map<string, number>();
  #next = 0;

  private constructor(targets: readonly string[]) {
    this.#targets = targets;
    this.#server = createServer((request, response) => this.#forward(request, response));
  }

  static async before(...targets: readonly string[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(targets);
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

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const session = String(request.headers['mcp-session-id']);
    const position = this.#sessions.get(session) ?? this.#next++ % this.#targets.length;
    this.served.push(position);
    const { method, url = '/', headers } = request;
    const forwarded = send(new URL(url, this.#targets[position]), { method, headers }, (answer) => {
      const opened = answer.headers['mcp-session-id'];
      if (opened !== undefined) this.#sessions.set(String(opened), position);
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }
}
