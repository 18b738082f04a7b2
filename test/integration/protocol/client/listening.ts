import { isStateless } from '../messages/cells.ts';
import type { Id, Message } from '../messages/message.ts';
import type { RawClient } from './raw-client.ts';

export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** The notifications that a client requests. */
export interface Wanted {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/** A subscription of a client, in the way of its revision. */
export interface Listening {
  /** Id of the listen request; absent in sessions. */
  readonly id: Id | undefined;
  end(): Promise<void>;
}

/** Subscribes to changes; resolves once no change can be missed. Sessions receive changes of lists in any case. */
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

/** Opens a listen stream of 2026-07-28, and waits for its first message or for the answer to the request. */
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

/** Returns a function that checks whether a message belongs to the stream of a request. */
export function belongsTo(id: Id): (message: Message) => boolean {
  return ({ params }) => params?._meta?.[SUBSCRIPTION] === id;
}
