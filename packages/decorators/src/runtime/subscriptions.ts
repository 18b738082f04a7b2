/** What a server object implements so that clients can subscribe to its resources. */
export interface ResourceWatcher {
  /**
   * Watches what a URI names and calls `updated` once for each change; resolves when no later change can be missed. A rejection
   * refuses the subscription.
   *
   * @returns what stops it, or `undefined` if the URI names nothing that can be watched
   */
  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined>;
}

/** As many URIs as one connection may listen to. */
const MAX_URIS = 10_000;

interface Subscription {
  readonly owners: Set<unknown>;
  readonly watching: Promise<AsyncDisposable | undefined>;
}

/** The watcher of a server object; `undefined` if it offers no subscriptions. */
export function watcherOf(server: object): ResourceWatcher | undefined {
  return isWatcher(server) ? server : undefined;
}

function isWatcher(server: object): server is ResourceWatcher {
  return 'watch' in server && typeof server.watch === 'function';
}

/**
 * The resources that one connection listens to. A URI is watched once, for as long as it has an owner: a listen stream on
 * 2026-07-28, the connection itself in a session. One connection listens to at most 10,000 URIs.
 */
export class Subscriptions implements AsyncDisposable {
  readonly #watcher: ResourceWatcher;
  readonly #publish: (uri: string) => void;
  readonly #subscriptions = new Map<string, Subscription>();

  /** `publish` is told of every change, with the URI as the client wrote it. */
  constructor(watcher: ResourceWatcher, publish: (uri: string) => void) {
    this.#watcher = watcher;
    this.#publish = publish;
  }

  /** Adds an owner of a URI; resolves to whether it is watched, which it is not past the limit. Rejects with what the watcher throws. */
  async add(uri: string, owner: unknown): Promise<boolean> {
    const subscription = this.#subscriptions.get(uri) ?? this.#start(uri);
    subscription?.owners.add(owner);
    const watching = await subscription?.watching.catch((error: unknown) => {
      this.#forget(uri, subscription);
      throw error;
    });
    if (watching === undefined) this.#forget(uri, subscription);
    return watching !== undefined;
  }

  /** Removes an owner from one URI, or from all of them. */
  async remove(owner: unknown, uri?: string): Promise<void> {
    const uris = uri === undefined ? [...this.#subscriptions.keys()] : [uri];
    await Promise.all(uris.map((each) => this.#removeFrom(each, owner)));
  }

  /** Stops all watchers. */
  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    await Promise.all(all.map(stop));
  }

  #start(uri: string): Subscription | undefined {
    if (this.#subscriptions.size >= MAX_URIS) return undefined;
    const subscription = { owners: new Set(), watching: this.#watcher.watch(uri, () => this.#publish(uri)) };
    this.#subscriptions.set(uri, subscription);
    return subscription;
  }

  /** Of a URI that was released and subscribed to again meanwhile, the new subscription stays. */
  #forget(uri: string, subscription: Subscription | undefined): void {
    if (this.#subscriptions.get(uri) === subscription) this.#subscriptions.delete(uri);
  }

  async #removeFrom(uri: string, owner: unknown): Promise<void> {
    const subscription = this.#subscriptions.get(uri);
    if (subscription?.owners.delete(owner) !== true || subscription.owners.size > 0) return;
    this.#subscriptions.delete(uri);
    await stop(subscription);
  }
}

/** A watcher that did not start needs no stopping; whoever asked for it was told why. */
async function stop({ watching }: Subscription): Promise<void> {
  const started = await watching.catch(() => undefined);
  await started?.[Symbol.asyncDispose]();
}
