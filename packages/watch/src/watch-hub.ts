import { Burst } from './burst.ts';
import { ChokidarDirectories } from './directories/chokidar-directories.ts';
import { LimitedDirectories } from './directories/limited-directories.ts';
import { NativeDirectories } from './directories/native-directories.ts';
import { SharedDirectories } from './directories/shared-directories.ts';
import { SizedDirectories } from './directories/sized-directories.ts';
import { WatchLimit } from './directories/watch-limit.ts';
import { limitCode } from './error-code.ts';
import { Rounds } from './rounds.ts';
import type { Subject } from './subject.ts';
import { WatchedSubject, type HubContext } from './watched-subject.ts';

/** Milliseconds between two looks at everything, for what no watcher told. */
const SWEEP = 30_000;

/** The smallest number that Linux gives a user by default, whatever the machine. */
const MAX_WATCHES = 8192;

/** Options of a {@link WatchHub}. */
export interface WatchHubOptions {
  /**
   * Hears of what went wrong: a fingerprint or a listener that failed, a watcher that broke, a place that cannot be watched and is
   * polled (once for each limit, whatever needs more). The hub goes on; what this function throws is dropped. Default: a warning of
   * the process, which Node.js prints to stderr.
   */
  readonly onError?: (error: unknown) => void;
  /** Directories that are watched at a time; what would need more is polled. Default: 8,192. */
  readonly maxWatches?: number;
}

/**
 * Tells of changes in files, directories and trees: each once, and none that is no change.
 *
 * What a watcher says is a hint only; a change is announced if the subject's fingerprint differs when it is looked at: 75 ms after the
 * first hint of any subject, and not again within 75 ms. Every 30 s, after a burst of events and after a watcher's failure all
 * subjects are looked at, so that a lost event is a delay.
 */
export class WatchHub implements AsyncDisposable {
  readonly #onError: (error: unknown) => void;
  readonly #watched = new Map<string, WatchedSubject>();
  readonly #closing = new Set<Promise<void>>();
  readonly #burst: Burst = new Burst(() => this.#sweep());
  readonly #context: HubContext;
  readonly #rounds = new Rounds();
  readonly #toldLimits = new Set<string>();
  #sweeps: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor({ onError = warn, maxWatches = MAX_WATCHES }: WatchHubOptions = {}) {
    this.#onError = onError;
    const alarm = { heard: () => this.#burst.count(), failed: (error: unknown) => this.#failed(error) };
    const limit = new WatchLimit(maxWatches);
    const native = new NativeDirectories(alarm);
    const sized = new SizedDirectories(new ChokidarDirectories(alarm), native);
    this.#context = {
      forPaths: new SharedDirectories(new LimitedDirectories(sized, limit)),
      forTrees: new SharedDirectories(new LimitedDirectories(native, limit)),
      hint: (watched) => this.#rounds.add(watched),
      report: (error) => this.#report(error),
    };
  }

  /** Subjects that are watched now. */
  get size(): number {
    return this.#watched.size;
  }

  /**
   * Calls `changed` once for each change from now on, until the result is disposed of.
   *
   * Resolves when a change right after is not missed. Subjects of the same key share their watchers; they are stopped with the last
   * listener. Rejects on a hub that was disposed of.
   */
  async watch(subject: Subject, changed: () => void): Promise<AsyncDisposable> {
    if (this.#isDisposed) throw new Error('the watch hub was disposed of');
    const watched = this.#watched.get(subject.key) ?? this.#start(subject);
    const remove = await watched.listen(changed);
    let left: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      remove();
      if (!watched.hasListeners) await this.#stop(watched);
    };
    return { [Symbol.asyncDispose]: () => (left ??= leave()) };
  }

  /** Stops everything, also what is being started; no listener is called afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#watched.values()].map((watched) => this.#stop(watched)));
    await Promise.all(this.#closing);
    this.#burst.stop();
  }

  #start(subject: Subject): WatchedSubject {
    const watched = new WatchedSubject(subject, this.#context);
    this.#watched.set(subject.key, watched);
    this.#sweeps ??= setInterval(() => this.#sweep(), SWEEP).unref();
    return watched;
  }

  async #stop(watched: WatchedSubject): Promise<void> {
    if (this.#watched.get(watched.key) === watched) this.#watched.delete(watched.key);
    this.#rounds.remove(watched);
    if (this.#watched.size === 0) this.#rest();
    const closing = watched.close();
    this.#closing.add(closing);
    try {
      await closing;
    } catch (error) {
      this.#report(error);
    } finally {
      this.#closing.delete(closing);
    }
  }

  #rest(): void {
    clearInterval(this.#sweeps);
    this.#sweeps = undefined;
    this.#burst.stop();
  }

  #sweep(): void {
    for (const watched of this.#watched.values()) watched.sweep();
  }

  #failed(error: unknown): void {
    this.#report(error);
    this.#sweep();
  }

  #report(error: unknown): void {
    const limit = limitCode(error);
    if (limit !== undefined) {
      if (this.#toldLimits.has(limit)) return;
      this.#toldLimits.add(limit);
    }
    try {
      this.#onError(error);
    } catch {
      // There is nobody left to tell.
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error.message : String(error), 'WatchWarning');
}
