import { isStateless } from './cells.ts';
import type { Id, Message } from './message.ts';
import type { RawClient } from './raw-client.ts';

export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What a client wants to be told. */
export interface Wanted {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/** A client that is told of changes, in the way of its revision. */
export interface Listening {
  /** The request that asked for it; sessions have none. */
  readonly id: Id | undefined;
  end(): Promise<void>;
}

/** Asks to be told of changes; resolves once none can be missed. Sessions are told of their lists in any case. */
export async function listen(client: RawClient, wanted: Wanted): Promise<Listening> {
  if (isStateless(client.revision)) {
    const { id } = await openStream(client, wanted);
    return { id, end: () => client.cancel(id) };
  }
  const uris = wanted.resourceSubscriptions ?? [];
  for (const uri of uris) await client.result('resources/subscribe', { uri });
  return {
    id: undefined,
    async end() {
      for (const uri of uris) await client.result('resources/unsubscribe', { uri });
    },
  };
}

/** Opens a stream of 2026-07-28, and waits for what it says first. */
export async function openStream(
  client: RawClient,
  notifications: Wanted,
): Promise<{ readonly id: Id; readonly answer: Promise<Message>; readonly first: Message }> {
  const id = client.nextId();
  const told = client.upcoming(belongsTo(id));
  const { answer } = await client.start('subscriptions/listen', { notifications }, id);
  const first = await Promise.race([told, answer]);
  return { id, answer, first };
}

/** Whether a message is told on the stream of a request. */
export function belongsTo(id: Id): (message: Message) => boolean {
  return ({ params }) => params?._meta?.[SUBSCRIPTION] === id;
}
