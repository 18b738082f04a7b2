import { randomUUID } from 'node:crypto';

import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type EventStore,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { ChangeBus, serverFactory } from '@org/mcp-decorators';

import { byName } from '../../support/http/served.ts';

/** Resolves to the response to a request, which is sent over a network or passed to the server directly. */
export type Send = (request: Request) => Promise<Response>;

/**
 * Serves a server object with the SDK alone, as in the documentation of the SDK: a transport for each session, one
 * event store, a host that parses bodies, and a token check in front.
 */
export function bareSdk(server: object): Send {
  const factory = serverFactory(server);
  const modern = createMcpHandler(factory, { legacy: 'reject', bus: ChangeBus.of(server) });
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const eventStore = new SharedEvents();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await factory({ era: 'legacy' }).connect(transport);
    return transport;
  };
  return async (request) => {
    const authInfo = await byName(request.headers.get('authorization') ?? undefined);
    const text = await request.clone().text();
    const parsedBody: unknown = text === '' ? undefined : JSON.parse(text);
    const given = { authInfo, ...(parsedBody !== undefined && { parsedBody }) };
    if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, given);
    const transport = transports.get(request.headers.get('mcp-session-id') ?? '') ?? (await open());
    return transport.handleRequest(request, given);
  };
}

/** An event store like the one in the SDK's examples. */
class SharedEvents implements EventStore {
  readonly #events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}_${this.#events.length}`;
    this.#events.push({ id, stream, message });
    return Promise.resolve(id);
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = this.#events.findIndex(({ id }) => id === last);
    const stream = this.#events[from]?.stream ?? '';
    for (const { id, stream: each, message } of this.#events.slice(from + 1)) if (each === stream) await send(id, message);
    return stream;
  }
}
