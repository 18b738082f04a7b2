import { ResourceNotFoundError, type ServerContext, type ServerEvent } from '@modelcontextprotocol/server';

import { toProtocolError } from '../calls/failure.ts';
import { assertScopes } from '../calls/scopes.ts';
import type { ServerConnection } from '../calls/server-runtime.ts';
import { ChangeBus } from '../changes/change-bus.ts';
import { sendChange } from '../changes/send-change.ts';
import type { Subscriptions } from '../changes/subscriptions.ts';
import { getPrincipalKey } from '../client/client.ts';
import { getReporter } from '../hooks/hooks.ts';

/** Forwards changes to a session's client: changes of lists once the client is ready, of resources while it is subscribed. */
export function handleSessionChanges(connection: ServerConnection): void {
  const { sdkServer, runtime } = connection;
  const { subscriptions } = runtime;
  const listening = new ChangeListener(ChangeBus.of(runtime.server), (event) => {
    if (event.kind === 'resource_updated' && subscriptions?.has(sdkServer, event.uri) !== true) return;
    // A failed notification is ignored, because the handler of `onclose` deals with a lost connection.
    sendChange(sdkServer, event).catch(() => undefined);
  });
  sdkServer.oninitialized = () => listening.begin();
  sdkServer.onclose = () => {
    listening.end();
    subscriptions?.remove(sdkServer).catch((error: unknown) => runtime.onError(error, describePlace(connection)));
  };
  if (subscriptions !== undefined) handleSubscriptions(connection, subscriptions, listening);
}

function handleSubscriptions(connection: ServerConnection, subscriptions: Subscriptions, listening: ChangeListener): void {
  const { sdkServer, runtime } = connection;
  const failing = { place: describePlace(connection), definition: { name: 'subscription' } };
  const refused =
    ({ mcpReq }: ServerContext) =>
    (error: unknown): never => {
      throw toProtocolError(error, failing, getReporter(runtime.onError, mcpReq.signal));
    };
  sdkServer.setRequestHandler('resources/subscribe', async (request, context) => {
    const { uri } = request.params;
    assertScopes(runtime, request, context);
    // The request fails if the connection has closed, because nothing would remove the subscription.
    context.mcpReq.signal.throwIfAborted();
    listening.begin();
    if (!(await subscriptions.add(uri, sdkServer, getPrincipalKey(context)).catch(refused(context))))
      throw new ResourceNotFoundError(uri);
    return {};
  });
  sdkServer.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }, context) => {
    await subscriptions.remove(sdkServer, uri).catch(refused(context));
    return {};
  });
}

function describePlace({ runtime }: ServerConnection): string {
  return `${runtime.server.constructor.name}.watch`;
}

/**
 * Subscribes to a change bus at the first call of `begin`, but not after `end`. A protocol instance that is never connected
 * therefore costs nothing.
 */
class ChangeListener {
  readonly #changes: ChangeBus;
  readonly #listener: (event: ServerEvent) => void;
  #unsubscribe: (() => void) | undefined;

  constructor(changes: ChangeBus, listener: (event: ServerEvent) => void) {
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
