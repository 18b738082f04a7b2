import { serverFactory, Subscriptions, watcherOf, type ServerFactoryOptions } from '@org/mcp-decorators';
import type { McpServer, Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';

import { ListeningTransport } from './listening-transport.ts';

/** How one connection is served. */
export interface ConnectionOptions extends ServerFactoryOptions {
  /** Told of what goes wrong outside any request. */
  readonly onTransportError?: (error: Error) => void;
}

/** Serves a server object on one connection, in the era that its client opens with. */
export function serveConnection(server: object, transport: Transport, options: ConnectionOptions = {}): StdioServerHandle {
  const { onTransportError, ...factoryOptions } = options;
  const factory = serverFactory(server, factoryOptions);
  const onerror = onTransportError === undefined ? {} : { onerror: onTransportError };
  const watcher = watcherOf(server);
  if (watcher === undefined) return serveStdio(factory, { transport, ...onerror });
  let instance: McpServer | undefined;
  const listening = new Subscriptions(watcher, (uri) => {
    instance?.server.sendResourceUpdated({ uri }).catch((error: unknown) => onTransportError?.(toError(error)));
  });
  return serveStdio((context) => (instance = factory(context)), {
    transport: new ListeningTransport(transport, listening, (error) => onTransportError?.(toError(error))),
    ...onerror,
  });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
