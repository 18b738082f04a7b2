import { listServerParts } from '../../compile/feature-tree.ts';
import { Slot } from '../../metadata/slot.ts';
import { ToolError } from '../../results/tool-error.ts';
import { Shares } from '../limits/shares.ts';
import { ChangeBus } from './change-bus.ts';

/** Implemented by a server object or a feature whose resources clients can subscribe to. */
export interface ResourceWatcher {
  /**
   * Watches the resource of a URI and calls `updated` once per change. Resolves when no later change can be missed. A rejection
   * rejects the subscription. Called again for the same URI only after the previous watch has stopped.
   *
   * @returns an object that stops the watch, or `undefined` if the resource cannot be watched or does not belong to this object
   */
  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined>;
}

/**
 * Maximum number of subscriptions of all owners together. Each subscription costs memory, and most need a file system
 * watcher.
 */
const MAX_TOTAL = 100_000;
/** Maximum length of a URI in characters. This is enough for the longest possible path, percent-encoded. */
const MAX_URI = 16_384;

interface Watch {
  /** Owners of subscriptions to the URI. Empty once the watch has been released. */
  readonly owners: Set<object>;
  readonly started: Promise<AsyncDisposable | undefined>;
}

/** Subscriptions of one owner. */
interface Owned {
  readonly uris: Set<string>;
  readonly principal: string | undefined;
}

const SLOT = new Slot<Subscriptions>('subscriptions');

/**
 * Subscriptions to resources of one server object, from all its connections. A URI is watched once, while it has at
 * least one owner: a listen stream on 2026-07-28, or the connection of a session. {@link ChangeBus} delivers what the
 * watcher reports; other processes watch for themselves.
 * An owner has at most 10,000 URIs, and all owners together have at most 100,000. The owners of one principal together
 * may have at most as many subscriptions as remain free for other principals. A URI has at most 16,384 characters.
 */
export class Subscriptions {
  /** Maximum number of URIs of one listen stream or session. */
  static readonly maxPerOwner: number = 10_000;
  readonly #watchers = new Set<ResourceWatcher>();
  readonly #publish: (uri: string) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #stopping = new Map<string, Promise<void>>();
  readonly #owned = new Map<object, Owned>();
  readonly #shares = new Shares(MAX_TOTAL);

  private constructor(publish: (uri: string) => void) {
    this.#publish = publish;
  }

  /**
   * Returns the subscriptions of a server object, shared by all its connections, or `undefined` if neither the object nor one of its
   * features can watch resources. The first of them that can watch a resource watches it.
   *
   * @param extraFeatures features that are served in addition to the server object
   */
  static of(server: object, extraFeatures: readonly object[] = []): Subscriptions | undefined {
    const watchers = listServerParts(server, extraFeatures)
      .map(({ object }) => object)
      .filter(isWatcher);
    if (watchers.length === 0) return SLOT.read(server);
    const publish = (uri: string): void => ChangeBus.of(server).deliver({ kind: 'resource_updated', uri });
    const subscriptions = SLOT.getOrCreate(server, () => new Subscriptions(publish));
    subscriptions.addWatchers(watchers);
    return subscriptions;
  }

  /** Adds watchers; those that are already known are not added again. */
  addWatchers(watchers: readonly ResourceWatcher[]): void {
    for (const watcher of watchers) this.#watchers.add(watcher);
  }

  /** Number of subscriptions of all owners. */
  get size(): number {
    return this.#shares.taken;
  }

  /** Whether a URI has an owner. */
  isWatched(uri: string): boolean {
    return this.#watches.has(uri);
  }

  /** Returns all watched URIs, without duplicates. */
  uris(): readonly string[] {
    return [...this.#watches.keys()];
  }

  /** Whether an owner is subscribed to a URI. */
  has(owner: object, uri: string): boolean {
    return this.#owned.get(owner)?.uris.has(uri) === true;
  }

  /**
   * Adds an owner of a URI immediately. Resolves to whether the resource can be watched, once no later change can be
   * missed.
   * @param principal the principal of the owner, ignored after the first URI of the owner; principals share the total limit
   * @throws ToolError OVERLOADED if a limit is exceeded, and errors of the watcher; the subscription is then not added
   */
  async add(uri: string, owner: object, principal?: string): Promise<boolean> {
    if (uri.length > MAX_URI) return false;
    const watch = this.#join(uri, owner, principal);
    let started: AsyncDisposable | undefined;
    try {
      started = await watch.started;
    } finally {
      if (started === undefined) this.#forget(uri, watch);
    }
    return started !== undefined;
  }

  /** Removes an owner from one URI, or from all its URIs. Resolves when watches without owners have stopped. */
  async remove(owner: object, uri?: string): Promise<void> {
    const uris = uri === undefined ? [...(this.#owned.get(owner)?.uris ?? [])] : [uri];
    await Promise.all(uris.map((each) => this.#leave(each, owner)));
  }

  #join(uri: string, owner: object, principal: string | undefined): Watch {
    const known = this.#watches.get(uri);
    if (known?.owners.has(owner) === true) return known;
    const own = this.#owned.get(owner) ?? { uris: new Set(), principal };
    this.#admit(own);
    this.#owned.set(owner, own);
    own.uris.add(uri);
    this.#shares.take(own.principal);
    known?.owners.add(owner);
    return known ?? this.#start(uri, owner);
  }

  #admit({ uris, principal }: Owned): void {
    const { maxPerOwner } = Subscriptions;
    if (uris.size >= maxPerOwner) throw new ToolError('OVERLOADED', `a client can subscribe to at most ${maxPerOwner} resources`);
    const shortage = this.#shares.shortage(principal);
    if (shortage === 'all')
      throw new ToolError('OVERLOADED', `the server has the maximum of ${MAX_TOTAL} subscriptions`, {
        hint: 'try again later',
      });
    if (shortage === 'own')
      throw new ToolError('OVERLOADED', 'this client has used up its share of subscriptions', {
        hint: 'unsubscribe from some resources',
      });
  }

  #start(uri: string, owner: object): Watch {
    const owners = new Set([owner]);
    const watch = { owners, started: this.#watch(uri, owners) };
    this.#watches.set(uri, watch);
    return watch;
  }

  /**
   * Starts a watch after the previous watch of the same URI has stopped, so that a watcher may use the URI as the key of
   * its state.
   */
  async #watch(uri: string, owners: ReadonlySet<object>): Promise<AsyncDisposable | undefined> {
    const stopping = this.#stopping.get(uri);
    if (stopping !== undefined) await stopping.catch(() => undefined);
    for (const watcher of this.#watchers) {
      const watching = await watcher.watch(uri, () => {
        if (owners.size > 0) this.#publish(uri);
      });
      if (watching !== undefined) return watching;
    }
    return undefined;
  }

  /** Removes a watch that did not start, with all its owners: they wait for the same promise, which reports the failure. */
  #forget(uri: string, watch: Watch): void {
    for (const owner of watch.owners) this.#disown(owner, uri);
    watch.owners.clear();
    if (this.#watches.get(uri) === watch) this.#watches.delete(uri);
  }

  async #leave(uri: string, owner: object): Promise<void> {
    const watch = this.#watches.get(uri);
    if (watch?.owners.delete(owner) !== true) return;
    this.#disown(owner, uri);
    if (watch.owners.size > 0) return;
    this.#watches.delete(uri);
    await this.#stop(uri, watch);
  }

  #disown(owner: object, uri: string): void {
    const own = this.#owned.get(owner);
    if (own?.uris.delete(uri) !== true) return;
    this.#shares.giveBack(own.principal);
    if (own.uris.size === 0) this.#owned.delete(owner);
  }

  async #stop(uri: string, watch: Watch): Promise<void> {
    const stopping = stop(watch);
    this.#stopping.set(uri, stopping);
    try {
      await stopping;
    } finally {
      if (this.#stopping.get(uri) === stopping) this.#stopping.delete(uri);
    }
  }
}

function isWatcher(server: object): server is ResourceWatcher {
  return 'watch' in server && typeof server.watch === 'function';
}

/** Stops a watch. Does nothing if the watch failed to start; its owners have already received the error. */
async function stop({ started }: Watch): Promise<void> {
  const watching = await started.catch(() => undefined);
  await watching?.[Symbol.asyncDispose]();
}
