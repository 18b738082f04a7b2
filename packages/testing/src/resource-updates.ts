import type { Client } from '@modelcontextprotocol/client';

import { Inbox } from './received.ts';

/** The updates of one subscribed resource; `await using` ends the subscription. */
export class ResourceUpdates implements AsyncDisposable {
  readonly #unsubscribe: () => Promise<unknown>;
  readonly #updates = new Inbox<undefined>('update');

  /** Made by `Session.subscribe`; `unsubscribe` runs at its end. */
  constructor(unsubscribe: () => Promise<unknown>) {
    this.#unsubscribe = unsubscribe;
  }

  /** Updates that came so far. */
  get count(): number {
    return this.#updates.all.length;
  }

  /** Resolves with the next update that nobody has waited for; rejects if the subscription has ended. */
  async next(): Promise<void> {
    await this.#updates.next();
  }

  /** Called with each update. */
  receive(): void {
    this.#updates.add(undefined);
  }

  /** Called when no more can come. */
  end(): void {
    this.#updates.end();
  }

  /** Ends the subscription; waiting for an update then rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#unsubscribe();
  }
}

/** The subscriptions of one client, in the way of its era. */
export class UpdateReceiver {
  readonly #client: Client;
  readonly #subscribed = new Map<string, ResourceUpdates>();

  constructor(client: Client) {
    this.#client = client;
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) =>
      this.#subscribed.get(uri)?.receive(),
    );
  }

  /** Subscribes; rejects if the server does not watch the resource. */
  async subscribe(uri: string, modern: boolean): Promise<ResourceUpdates> {
    const end = modern ? await this.#listen(uri) : await this.#subscribe(uri);
    const updates = new ResourceUpdates(async () => {
      this.#subscribed.delete(uri);
      await end();
    });
    this.#subscribed.set(uri, updates);
    return updates;
  }

  /** The connection is closed. */
  end(): void {
    for (const updates of this.#subscribed.values()) updates.end();
  }

  async #listen(uri: string): Promise<() => Promise<unknown>> {
    const stream = await this.#client.listen({ resourceSubscriptions: [uri] });
    if (stream.honoredFilter.resourceSubscriptions?.includes(uri) === true) return () => stream.close();
    await stream.close();
    throw new Error(`the server does not watch ${uri}`);
  }

  async #subscribe(uri: string): Promise<() => Promise<unknown>> {
    await this.#client.subscribeResource({ uri });
    return () => this.#client.unsubscribeResource({ uri });
  }
}
