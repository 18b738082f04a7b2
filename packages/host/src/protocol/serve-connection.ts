import { ChangeBus, sendChange, serverFactory, Subscriptions, type ServerFactoryOptions } from '@org/mcp-decorators';
import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';

import { ProtocolTransport } from './protocol-transport.ts';

/** Creates the SDK server of one connection, session or stateless request. */
export type ProtocolFactory = ReturnType<typeof serverFactory>;

/** Options for serving one connection. */
export interface ConnectionOptions extends ServerFactoryOptions {
  /** Receives errors that belong to no request. Default: these errors are dropped. */
  readonly onTransportError?: (error: Error) => void;
}

/**
 * Serves a server object on one connection, in the era of the client's first message. Neither opens nor disposes of the object.
 *
 * @throws DefinitionError if the class of the object is not usable, RangeError if the state key or the time limit is not valid,
 *   or the selection names an unknown tool
 */
export function serveConnection(server: object, transport: Transport, options: ConnectionOptions = {}): StdioServerHandle {
  const { onTransportError: onError = () => undefined, ...factoryOptions } = options;
  const factory = serverFactory(server, factoryOptions);
  const subscriptions = Subscriptions.of(server);
  const protocol = new ProtocolTransport(transport, { onError, subscriptions });
  const create: typeof factory = (context) => {
    const instance = factory(context);
    protocol.useDirectCalls(instance.directCalls);
    // In a session, the protocol instance itself subscribes to changes.
    if (context.era === 'modern') announceChanges(ChangeBus.of(server), instance.server, onError);
    return instance;
  };
  return serveStdio(create, { transport: protocol, onerror: onError });
}

/** Sends every change to the SDK until the connection closes. The SDK forwards the change to the listen streams that requested it. */
function announceChanges(changes: ChangeBus, protocol: Server, onError: (error: Error) => void): void {
  const unsubscribe = changes.subscribe((event) => void sendChange(protocol, event).catch(onError));
  const { onclose } = protocol;
  protocol.onclose = () => {
    unsubscribe();
    onclose?.();
  };
}
