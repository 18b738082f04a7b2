import { Burst } from './burst.ts';
import { NativeDirectories } from './directories/native-directories.ts';
import { SharedDirectories } from './directories/shared-directories.ts';
import { SizedDirectories } from './directories/sized-directories.ts';
import { isLimit } from './error-code.ts';
import type { Subject } from './subject.ts';
import { WatchedSubject, type HubContext } from './watched-subject.ts';

/** Milliseconds between two looks at everything, for what no watcher told. */
const SWEEP = 30_000;

/** Options of a {@link WatchHub}. */
export interface WatchHubOptions {
  /**
   * Hears of what went wrong: a fingerprint or a listener that failed, a watcher that broke, a place that cannot be watched and is
   * polled (once for all when the machine has no watches left). The hub goes on; what this function throws is dropped.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * Tells of changes in files, directories and trees: each once, and none that is no change.
 *
 * What a watcher says is a hint only; a change is announced if the subject's fingerprint differs, 75 ms after the first hint. Every
 * 30 s, after a burst of events and after a watcher's failure all subjects are looked at, so that a lost event is a delay.
 */
export class WatchHub implements AsyncDisposable {
  readonly #onError: (error: unknown) => void;
  readonly #watched = new Map<string, WatchedSubject>();
  readonly #closing = new Set<Promise<void>>();
  readonly #burst: Burst = new Burst(() => this.#sweep());
  readonly #context: HubContext;
  #sweeps: NodeJS.Timeout | undefined;
  #isDisposed = false;
  #isLimitTold = false;

  constructor({ onError = () => undefined }: WatchHubOptions = {}) {
    this.#onError = onError;
    const alarm = { heard: () => this.#burst.count(), failed: (error: unknown) => this.#failed(error) };
    const native = new NativeDirectories(alarm);
    this.#context = {
      forPaths: new SizedDirectories(new SharedDirectories(alarm), native),
      forTrees: native,
      report: (error) => this.#report(error),
      refused: (error) => this.#refused(error),
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
    for (const watched of this.#watched.values()) void watched.check(true);
  }

  #failed(error: unknown): void {
    this.#report(error);
    this.#sweep();
  }

  #refused(error: unknown): void {
    if (isLimit(error)) {
      if (this.#isLimitTold) return;
      this.#isLimitTold = true;
    }
    this.#report(error);
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // There is nobody left to tell.
    }
  }
}
