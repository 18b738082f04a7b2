import type { DirectoryWatcher } from '../directories/directory-watch.ts';
import type { WatchedResource } from '../resources/watched-resource.ts';
import { settleAll } from '../system/settle-all.ts';
import { PollingError } from '../system/watch-errors.ts';
import { PathWatcher } from '../targets/path-watcher.ts';
import type { TargetWatcher } from '../targets/target-watcher.ts';
import { TreeWatcher } from '../targets/tree-watcher.ts';

/** Minimum number of milliseconds between two checks of a resource that cannot be watched. */
const POLL_INTERVAL_MS = 1000;

/**
 * While polling, a pause is at least this number of times as long as the check before. So checks take at most a tenth of the
 * time.
 */
const POLL_PAUSE_FACTOR = 9;

/** The parts that all monitors of a hub share. */
export interface HubContext {
  readonly forPaths: DirectoryWatcher;
  readonly forTrees: DirectoryWatcher;
  /** Requests a check of the resource of a monitor. */
  hint(monitor: ResourceMonitor): void;
  /** Reports a failure of the fingerprint, of a listener, or of the watchers. If watchers fail, the resource is polled. */
  report(error: unknown): void;
}

/** A listener for changes. It is live once its first check has excluded all earlier changes. */
interface ChangeListener {
  readonly changed: () => void;
  isLive: boolean;
}

/** Checks one resource for changes on behalf of all its listeners. */
export class ResourceMonitor {
  readonly #resource: WatchedResource;
  readonly #context: HubContext;
  readonly #listeners = new Set<ChangeListener>();
  readonly #watchers: readonly TargetWatcher[];
  readonly #ended = new AbortController();
  #hasEnded = false;
  #announced = -Infinity;
  #fingerprint: string | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #renewal: Promise<void> | undefined;
  #isHinted = false;
  #isThorough = false;
  #isPolled = false;
  #poll: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(resource: WatchedResource, context: HubContext) {
    this.#resource = resource;
    this.#context = context;
    const { forPaths, forTrees } = context;
    const watchContext = { forPaths, forTrees, hint: () => this.#hint(), signal: this.#ended.signal };
    this.#watchers = resource.targets.map((target) =>
      target.kind === 'tree' ? new TreeWatcher(target, watchContext) : new PathWatcher(target, watchContext),
    );
  }

  get key(): string {
    return this.#resource.key;
  }

  /** Time of the last announcement of a change of the resource, by `performance.now()`. */
  get announced(): number {
    return this.#announced;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener. Resolves, once no further change can be missed, to a function that removes the listener. */
  async listen(changed: () => void): Promise<() => void> {
    const listener: ChangeListener = { changed, isLive: false };
    this.#listeners.add(listener);
    await this.check();
    listener.isLive = true;
    return () => this.#listeners.delete(listener);
  }

  /** Requests a check that also examines everything below the resource. */
  sweep(): void {
    this.#isThorough = true;
    this.#hint();
  }

  /**
   * Compares fingerprints once and notifies the listeners if they differ. Returns `undefined` if the check has already finished.
   */
  check(): Promise<void> | undefined {
    // All calls during a check share one further check, which also detects changes that happened during the first
    // check.
    this.#next ??= this.#running?.then(() => {
      this.#next = undefined;
      return this.#run();
    });
    return this.#next ?? this.#run();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#hasEnded = true;
    this.#ended.abort();
    clearTimeout(this.#poll);
    await this.#renewal;
    await this.#closeWatchers();
  }

  #hint(): void {
    // A hint during a check requests another check, which joins a round when the running check has ended.
    this.#isHinted = this.#running !== undefined;
    if (!this.#isHinted && !this.#hasEnded) this.#context.hint(this);
  }

  #run(): Promise<void> | undefined {
    const began = performance.now();
    const over = (): void => {
      this.#running = undefined;
      if (this.#isHinted) this.#hint();
      if (this.#isPolled) this.#pollAfter(performance.now() - began);
    };
    this.#running = this.#renewAndCompare()?.then(over);
    if (this.#running === undefined) over();
    return this.#running;
  }

  /** Runs synchronously if nothing has to be awaited: a sweep checks thousands of resources, and hardly any has changed. */
  #renewAndCompare(): Promise<void> | undefined {
    this.#renewal = this.#renew();
    return this.#renewal === undefined ? this.#compare() : this.#renewal.then(() => this.#compare());
  }

  #renew(): Promise<void> | undefined {
    if (this.#hasEnded || this.#isPolled) return undefined;
    const isThorough = this.#isThorough;
    this.#isThorough = false;
    const renewals = this.#watchers.map((watcher) => watcher.renew(isThorough)).filter((renewal) => renewal !== undefined);
    return renewals.length === 0 ? undefined : settleAll(renewals).catch((error: unknown) => this.#startPolling(error));
  }

  async #startPolling(error: unknown): Promise<void> {
    this.#isPolled = true;
    // Usually a limit of watches was reached, so the remaining watches of this resource are released for other resources.
    await this.#closeWatchers().catch((failure: unknown) => this.#reportFailure(failure));
    this.#reportFailure(new PollingError(error));
  }

  #pollAfter(took: number): void {
    clearTimeout(this.#poll);
    if (!this.#hasEnded)
      this.#poll = setTimeout(() => this.#hint(), Math.max(POLL_INTERVAL_MS, took * POLL_PAUSE_FACTOR)).unref();
  }

  async #closeWatchers(): Promise<void> {
    await settleAll(this.#watchers.map((watcher) => watcher.close()));
  }

  #compare(): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    try {
      const fingerprint = this.#resource.fingerprint();
      if (typeof fingerprint !== 'string')
        return fingerprint.then((later) => this.#announceIfChanged(later)).catch((error: unknown) => this.#reportFailure(error));
      this.#announceIfChanged(fingerprint);
    } catch (error) {
      this.#reportFailure(error);
    }
    return undefined;
  }

  #reportFailure(error: unknown): void {
    if (!this.#hasEnded) this.#context.report(error);
  }

  #announceIfChanged(fingerprint: string): void {
    if (this.#hasEnded || fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    for (const listener of this.#listeners) {
      if (!listener.isLive) continue;
      this.#announced = performance.now();
      try {
        listener.changed();
      } catch (error) {
        this.#context.report(error);
      }
    }
  }
}
