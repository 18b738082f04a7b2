import { ToolError } from '../errors.ts';
import { Slot } from '../metadata/slot.ts';
import { Changes } from './changes.ts';
import { Shares } from './limits/shares.ts';

/** What a server object implements so that clients can subscribe to its resources. */
export interface ResourceWatcher {
  /**
   * Watches what a URI names and calls `updated` once for each change; resolves when no later change can be missed. A rejection
   * refuses the subscription. Called again for a URI only after the watch before was stopped.
   *
   * @returns what stops it, or `undefined` if the URI names nothing that can be watched
   */
  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined>;
}

/** As many as all of them together: each costs memory, and most cost a watcher. */
const MAX_IN_ALL = 100_000;
/** Characters: no path is longer, every byte of it escaped. */
const MAX_URI = 16_384;

interface Watch {
  /** None any more once it is released. */
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
 * Which resources of one server object are listened to, by all its connections. A URI is watched once, for as long as it has an
 * owner: a listen stream on 2026-07-28, the connection itself in a session. What its watcher tells is delivered by
 * {@link Changes}; other processes watch for themselves.
 *
 * An owner has at most 10,000 URIs, and all owners together have at most 100,000. The owners of one principal have at most as many
 * as remain free for others. A URI has at most 16,384 characters.
 */
export class Subscriptions {
  /** As many URIs as one listen stream or session has at most. */
  static readonly maxPerOwner: number = 10_000;
  readonly #watcher: ResourceWatcher;
  readonly #publish: (uri: string) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #stopping = new Map<string, Promise<void>>();
  readonly #owned = new Map<object, Owned>();
  readonly #shares = new Shares(MAX_IN_ALL);

  private constructor(watcher: ResourceWatcher, publish: (uri: string) => void) {
    this.#watcher = watcher;
    this.#publish = publish;
  }

  /** Those of a server object, the same for all its connections; `undefined` if it watches nothing. */
  static of(server: object): Subscriptions | undefined {
    if (!isWatcher(server)) return undefined;
    const publish = (uri: string): void => Changes.of(server).deliver({ kind: 'resource_updated', uri });
    return SLOT.open(server, () => new Subscriptions(server, publish));
  }

  /** URIs of all owners, each counted once for each owner. */
  get size(): number {
    return this.#shares.taken;
  }

  /** Whether anybody listens to a URI. */
  isWatched(uri: string): boolean {
    return this.#watches.has(uri);
  }

  /** What is listened to, each URI once. */
  uris(): readonly string[] {
    return [...this.#watches.keys()];
  }

  /** Whether a URI is one of an owner's. */
  has(owner: object, uri: string): boolean {
    return this.#owned.get(owner)?.uris.has(uri) === true;
  }

  /**
   * Adds an owner of a URI, at once; resolves to whether the URI names something that can be watched when no later change can
   * be missed.
   *
   * @param principal the principal of the owner, read with the first URI of the owner; principals share the total limit
   * @throws ToolError OVERLOADED past a limit, and errors of the watcher; the subscription is then not added
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

  /** Removes an owner from one URI, or from all of them; resolves when what nobody listens to any more is stopped. */
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
    if (uris.size >= maxPerOwner)
      throw new ToolError('OVERLOADED', `one client can listen to ${maxPerOwner} resources and not to more`);
    const shortage = this.#shares.shortage(principal);
    if (shortage === 'all')
      throw new ToolError('OVERLOADED', `${MAX_IN_ALL} resources are listened to, and no more can be`, {
        hint: 'try again later',
      });
    if (shortage === 'own')
      throw new ToolError('OVERLOADED', 'this client listens to as many resources as it leaves for other clients', {
        hint: 'unsubscribe from some',
      });
  }

  #start(uri: string, owner: object): Watch {
    const owners = new Set([owner]);
    const watch = { owners, started: this.#watch(uri, owners) };
    this.#watches.set(uri, watch);
    return watch;
  }

  /** What is watched and what is stopped never overlap, so that a watcher may keep its state by URI. */
  async #watch(uri: string, owners: ReadonlySet<object>): Promise<AsyncDisposable | undefined> {
    const stopping = this.#stopping.get(uri);
    if (stopping !== undefined) await stopping.catch(() => undefined);
    return this.#watcher.watch(uri, () => {
      if (owners.size > 0) this.#publish(uri);
    });
  }

  /** Everybody who waited for it is told that it did not start. */
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

/** A watch that did not start needs no stopping; whoever asked for it was told why. */
async function stop({ started }: Watch): Promise<void> {
  const watching = await started.catch(() => undefined);
  await watching?.[Symbol.asyncDispose]();
}
