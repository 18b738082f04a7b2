import {
  ListChanges,
  serverFactory,
  Subscriptions,
  watcherOf,
  type ListKind,
  type ServerFactoryOptions,
} from '@org/mcp-decorators';
import type { McpServer, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';

import { ListeningTransport } from './listening-transport.ts';

/** How one connection is served. */
export interface ConnectionOptions extends ServerFactoryOptions {
  /** Told of what goes wrong outside any request. Default: it is dropped. */
  readonly onTransportError?: (error: Error) => void;
}

const ANNOUNCEMENTS: Readonly<Record<ListKind, (server: Server) => Promise<void>>> = {
  tools: (server) => server.sendToolListChanged(),
  prompts: (server) => server.sendPromptListChanged(),
  resources: (server) => server.sendResourceListChanged(),
};

/**
 * Serves a server object on one connection, in the era that its client opens with. The object is neither opened nor disposed of.
 *
 * @throws DefinitionError if its class is not usable, RangeError for a state key or a time limit that is none
 */
export function serveConnection(server: object, transport: Transport, options: ConnectionOptions = {}): StdioServerHandle {
  const { onTransportError = () => undefined, ...factoryOptions } = options;
  const onError = (error: unknown): void => onTransportError(toError(error));
  const factory = serverFactory(server, factoryOptions);
  let instance: McpServer | undefined;
  const watcher = watcherOf(server);
  const listening =
    watcher &&
    new Subscriptions(watcher, (uri) => {
      instance?.server.sendResourceUpdated({ uri }).catch(onError);
    });
  const create: typeof factory = (context) => {
    instance = factory(context);
    announceListChanges(server, instance.server, onError);
    return instance;
  };
  return serveStdio(create, {
    transport: listening === undefined ? transport : new ListeningTransport(transport, listening, onError),
    onerror: onTransportError,
  });
}

/** For as long as the connection is open, its client is told when a list changes. */
function announceListChanges(server: object, protocol: Server, onError: (error: unknown) => void): void {
  const announcing = ListChanges.of(server).subscribe((kind) => {
    ANNOUNCEMENTS[kind](protocol).catch(onError);
  });
  const { onclose } = protocol;
  protocol.onclose = () => {
    announcing[Symbol.dispose]();
    onclose?.();
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
