import { BurstDetector } from './checks/burst-detector.ts';
import { CheckRounds } from './checks/check-rounds.ts';
import { ResourceMonitor, type HubContext } from './checks/resource-monitor.ts';
import { ChokidarDirectoryWatcher } from './directories/chokidar-directory-watcher.ts';
import { LimitedDirectoryWatcher, WatchLimit } from './directories/limited-directory-watcher.ts';
import { NativeDirectoryWatcher } from './directories/native-directory-watcher.ts';
import { SharingDirectoryWatcher } from './directories/sharing-directory-watcher.ts';
import { SizedDirectoryWatcher } from './directories/sized-directory-watcher.ts';
import type { WatchedResource } from './resources/watched-resource.ts';
import { getLimitCode } from './system/watch-errors.ts';

/** Milliseconds between two sweeps, which find changes that no watcher reported. */
const SWEEP_INTERVAL_MS = 30_000;

/** Default maximum number of watches: the smallest default limit of Linux for one user. */
const MAX_WATCHES = 8192;

/** Options for a {@link WatchHub}. */
export interface WatchHubOptions {
  /**
   * Called for every failure of a fingerprint, a listener or a watcher. Also called for a resource that cannot be
   * watched and is polled instead (once for each kind of limit). The hub continues; errors of this function are
   * ignored. Default: emits a process warning, which Node.js prints to stderr.
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Maximum number of directories that are watched at a time; resources that would exceed this limit are polled. Default:
   * 8,192.
   */
  readonly maxWatches?: number;
}

/**
 * Watches files, directories and trees, and reports when they change. Several changes within 75 ms are reported once.
 *
 * An event of a watcher is only a hint. A change is announced if the fingerprint of the resource differs 75 ms after the first
 * hint, and at most once within 75 ms. A sweep checks all resources every 30 s, after a burst of events and after a failure of a
 * watcher. So a lost event only delays an announcement.
 */
export class WatchHub implements AsyncDisposable {
  readonly #onError: (error: unknown) => void;
  readonly #monitors = new Map<string, ResourceMonitor>();
  readonly #closing = new Set<Promise<void>>();
  readonly #burst: BurstDetector = new BurstDetector(() => this.#sweep());
  readonly #context: HubContext;
  readonly #rounds = new CheckRounds();
  readonly #reportedLimits = new Set<string>();
  #sweeps: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor({ onError = warn, maxWatches = MAX_WATCHES }: WatchHubOptions = {}) {
    this.#onError = onError;
    const observer = { onEvent: () => this.#burst.count(), onError: (error: unknown) => this.#onWatcherFailure(error) };
    const limit = new WatchLimit(maxWatches);
    const native = new NativeDirectoryWatcher(observer);
    const sized = new SizedDirectoryWatcher(new ChokidarDirectoryWatcher(observer), native);
    this.#context = {
      forPaths: new SharingDirectoryWatcher(new LimitedDirectoryWatcher(sized, limit)),
      forTrees: new SharingDirectoryWatcher(new LimitedDirectoryWatcher(native, limit)),
      hint: (monitor) => this.#rounds.add(monitor),
      report: (error) => this.#report(error),
    };
  }

  /** Number of resources that are watched or polled now. */
  get size(): number {
    return this.#monitors.size;
  }

  /**
   * Calls `changed` once for each change from now on, until the result is disposed of.
   *
   * Resolves once no further change can be missed. Resources with the same key share their watchers, which are closed with the
   * last listener. Rejects after the hub was disposed of.
   */
  async watch(resource: WatchedResource, changed: () => void): Promise<AsyncDisposable> {
    if (this.#isDisposed) throw new Error('the watch hub was disposed of');
    const monitor = this.#monitors.get(resource.key) ?? this.#startMonitor(resource);
    const remove = await monitor.listen(changed);
    let left: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      remove();
      if (!monitor.hasListeners) await this.#stopMonitor(monitor);
    };
    return { [Symbol.asyncDispose]: () => (left ??= leave()) };
  }

  /** Stops all watchers, including those that are being started. No listener is called afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#monitors.values()].map((monitor) => this.#stopMonitor(monitor)));
    await Promise.all(this.#closing);
    this.#burst.stop();
  }

  #startMonitor(resource: WatchedResource): ResourceMonitor {
    const monitor = new ResourceMonitor(resource, this.#context);
    this.#monitors.set(resource.key, monitor);
    this.#sweeps ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    return monitor;
  }

  async #stopMonitor(monitor: ResourceMonitor): Promise<void> {
    if (this.#monitors.get(monitor.key) === monitor) this.#monitors.delete(monitor.key);
    this.#rounds.remove(monitor);
    if (this.#monitors.size === 0) this.#stopTimers();
    const closing = monitor.close();
    this.#closing.add(closing);
    try {
      await closing;
    } catch (error) {
      this.#report(error);
    } finally {
      this.#closing.delete(closing);
    }
  }

  #stopTimers(): void {
    clearInterval(this.#sweeps);
    this.#sweeps = undefined;
    this.#burst.stop();
  }

  #sweep(): void {
    for (const monitor of this.#monitors.values()) monitor.sweep();
  }

  #onWatcherFailure(error: unknown): void {
    this.#report(error);
    this.#sweep();
  }

  #report(error: unknown): void {
    const limit = getLimitCode(error);
    if (limit !== undefined) {
      if (this.#reportedLimits.has(limit)) return;
      this.#reportedLimits.add(limit);
    }
    try {
      this.#onError(error);
    } catch {
      // An error of the error handler itself cannot be reported.
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error.message : String(error), 'WatchWarning');
}
