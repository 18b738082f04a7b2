import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Authenticator } from '../../src/auth/authenticator.ts';
import { readAuthorization } from '../../src/auth/authorization.ts';

/** Response to a request. */
export interface Answered {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** An HTTP server that answers with the authenticated sender of the request, or with an error. */
export class ProtectedServer {
  readonly resource: URL = new URL('https://mcp.example.org/mcp');
  /** Logged lines. */
  readonly lines: readonly string[];
  readonly #server: Server;

  private constructor(server: Server, lines: readonly string[]) {
    this.#server = server;
    this.lines = lines;
  }

  static async start(authenticator: Authenticator, lines: readonly string[] = []): Promise<ProtectedServer> {
    const server = createServer({ maxHeaderSize: 65_536 }).listen(0, '127.0.0.1');
    const protectedServer = new ProtectedServer(server, lines);
    server.on('request', (request, response) => {
      const authorization = readAuthorization(request);
      authenticator.authenticate(authorization).then(
        ({ clientId, scopes, extra }) => response.end(JSON.stringify({ clientId, scopes, ...extra })),
        (error: unknown) => {
          const refusal = authenticator.refusal(error, { authorization, resource: protectedServer.resource });
          response.writeHead(refusal.status, refusal.headers).end(refusal.message);
        },
      );
    });
    await once(server, 'listening');
    return protectedServer;
  }

  /** Sends a request with raw headers, as a list of names and values. */
  async get(headers: readonly string[], path = '/mcp'): Promise<Answered> {
    const { port } = this.#server.address() as AddressInfo;
    const request = httpRequest({ port, path, host: '127.0.0.1', headers: ['Host', `127.0.0.1:${port}`, ...headers] });
    request.end();
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('no response');
    return {
      status: response.statusCode,
      challenge: response.headers['www-authenticate'],
      retryAfter: response.headers['retry-after'],
      body: await text(response),
    };
  }

  withToken(token: string): Promise<Answered> {
    return this.get(['Authorization', `Bearer ${token}`]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
