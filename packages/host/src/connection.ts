import { serverFactory, type ServerFactoryOptions } from '@org/mcp-decorators';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';

/** How one connection is served. */
export interface ConnectionOptions extends ServerFactoryOptions {
  /** Told of what goes wrong outside any request. */
  readonly onTransportError?: (error: Error) => void;
}

/** Serves a server object on one connection, in the era that its client opens with. */
export function serveConnection(server: object, transport: Transport, options: ConnectionOptions = {}): StdioServerHandle {
  const { onTransportError, ...factory } = options;
  return serveStdio(serverFactory(server, factory), { transport, ...(onTransportError && { onerror: onTransportError }) });
}
