import { Changes, sendChange, serverFactory, Subscriptions, type ServerFactoryOptions } from '@org/mcp-decorators';
import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';

import { ListeningTransport } from './listening-transport.ts';
import { RevisionTransport } from './wire/revision-transport.ts';

/** How one connection is served. */
export interface ConnectionOptions extends ServerFactoryOptions {
  /** Told of what goes wrong outside any request. Default: it is dropped. */
  readonly onTransportError?: (error: Error) => void;
}

/**
 * Serves a server object on one connection, in the era that its client opens with. The object is neither opened nor disposed of.
 *
 * @throws DefinitionError if its class is not usable, RangeError for a state key or a time limit that is none
 */
export function serveConnection(server: object, transport: Transport, options: ConnectionOptions = {}): StdioServerHandle {
  const { onTransportError = () => undefined, ...factoryOptions } = options;
  const onError = (error: unknown): void => onTransportError(toError(error));
  const factory = serverFactory(server, factoryOptions);
  const create: typeof factory = (context) => {
    const instance = factory(context);
    // A session listens by itself.
    if (context.era === 'modern') announceChanges(Changes.of(server), instance.server, onError);
    return instance;
  };
  const subscriptions = Subscriptions.of(server);
  const wire = new RevisionTransport(transport, { onError: onTransportError });
  return serveStdio(create, {
    transport: subscriptions === undefined ? wire : new ListeningTransport(wire, subscriptions, onError),
    onerror: onTransportError,
  });
}

/** Until the connection closes, the SDK hears of every change, once, and tells the listen streams that named it. */
function announceChanges(changes: Changes, protocol: Server, onError: (error: unknown) => void): void {
  const unsubscribe = changes.subscribe((event) => void sendChange(protocol, event).catch(onError));
  const { onclose } = protocol;
  protocol.onclose = () => {
    unsubscribe();
    onclose?.();
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
