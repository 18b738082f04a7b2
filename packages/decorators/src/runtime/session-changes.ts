import { ResourceNotFoundError, type ServerContext, type ServerEvent } from '@modelcontextprotocol/server';

import { Changes } from './changes.ts';
import { principalKeyOf } from './caller.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { sendChange } from './send-change.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Tells the client of a session of changes: of lists from when it is ready, of resources while it is subscribed to them. */
export function handleChanges(connection: Connection): void {
  const { server, served } = connection;
  const { subscriptions } = served;
  const listening = new Listening(Changes.of(served.server), (event) => {
    if (event.kind === 'resource_updated' && subscriptions?.has(server, event.uri) !== true) return;
    // A connection that is gone says so by its close.
    sendChange(server, event).catch(() => undefined);
  });
  server.oninitialized = () => listening.begin();
  server.onclose = () => {
    listening.end();
    subscriptions?.remove(server).catch((error: unknown) => served.onError(error, placeOf(connection)));
  };
  if (subscriptions !== undefined) handleSubscriptions(connection, subscriptions, listening);
}

function handleSubscriptions(connection: Connection, subscriptions: Subscriptions, listening: Listening): void {
  const { server, served } = connection;
  const failing = { place: placeOf(connection), definition: { name: 'subscription' } };
  const refused =
    ({ mcpReq }: ServerContext) =>
    (error: unknown): never => {
      throw failedRequest(error, failing, reporterFor(served.onError, mcpReq.signal));
    };
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    // Of a connection that closed meanwhile, nobody would remove it.
    context.mcpReq.signal.throwIfAborted();
    listening.begin();
    if (!(await subscriptions.add(uri, server, principalKeyOf(context)).catch(refused(context))))
      throw new ResourceNotFoundError(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }, context) => {
    await subscriptions.remove(server, uri).catch(refused(context));
    return {};
  });
}

function placeOf({ served }: Connection): string {
  return `${served.server.constructor.name}.watch`;
}

/** Listens at most once, and never again after its end: an instance that is never connected costs nothing. */
class Listening {
  readonly #changes: Changes;
  readonly #listener: (event: ServerEvent) => void;
  #unsubscribe: (() => void) | undefined;

  constructor(changes: Changes, listener: (event: ServerEvent) => void) {
    this.#changes = changes;
    this.#listener = listener;
  }

  begin(): void {
    this.#unsubscribe ??= this.#changes.subscribe(this.#listener);
  }

  end(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = () => undefined;
  }
}
