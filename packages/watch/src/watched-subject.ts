import type { Directories } from './directories/directory-watch.ts';
import { PollingError } from './error-code.ts';
import { watcherOf, type PlaceWatcher } from './places/place-watcher.ts';
import { settleAll } from './settle-all.ts';
import type { Subject } from './subject.ts';

/** Milliseconds between two looks at a subject that cannot be watched. */
const POLL = 1000;

/** A subject that takes long to look at is polled so much less often: it may take a tenth of the time. */
const PAUSE = 9;

/** What all subjects of a hub have in common. */
export interface HubContext {
  readonly forPaths: Directories;
  readonly forTrees: Directories;
  /** The subject is to be looked at, soon. */
  hint(watched: WatchedSubject): void;
  /** Something failed: the subject's fingerprint, a listener, or its watchers, so that it is polled. */
  report(error: unknown): void;
}

/** One who hears of changes; `live` once those from before it came can be told apart. */
interface Listener {
  readonly changed: () => void;
  live: boolean;
}

/** A subject with its watchers and those who listen to it. */
export class WatchedSubject {
  readonly #subject: Subject;
  readonly #context: HubContext;
  readonly #listeners = new Set<Listener>();
  readonly #watchers: readonly PlaceWatcher[];
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

  constructor(subject: Subject, context: HubContext) {
    this.#subject = subject;
    this.#context = context;
    const { forPaths, forTrees } = context;
    const surroundings = { forPaths, forTrees, hint: () => this.#hint(), signal: this.#ended.signal };
    this.#watchers = subject.places.map((place) => watcherOf(place, surroundings));
  }

  get key(): string {
    return this.#subject.key;
  }

  /** When a change was last told, by `performance.now()`. */
  get announced(): number {
    return this.#announced;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Resolves to what removes the listener, once it hears of every change. */
  async listen(changed: () => void): Promise<() => void> {
    const listener: Listener = { changed, live: false };
    this.#listeners.add(listener);
    await this.check();
    listener.live = true;
    return () => this.#listeners.delete(listener);
  }

  /** Has it looked at soon, after a look at everything that is watched. */
  sweep(): void {
    this.#isThorough = true;
    this.#hint();
  }

  /** Compares fingerprints once, and tells the listeners if they differ; `undefined` if that is over already. */
  check(): Promise<void> | undefined {
    // One look follows the one that runs, however many ask for it: what happens meanwhile is seen by that one.
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
    // What is being looked at for long is looked at again in a round of its own.
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
    this.#running = this.#look()?.then(over);
    if (this.#running === undefined) over();
    return this.#running;
  }

  /** At once if nothing has to be waited for: a sweep looks at thousands, and hardly any of them has changed. */
  #look(): Promise<void> | undefined {
    this.#renewal = this.#renew();
    return this.#renewal === undefined ? this.#compare() : this.#renewal.then(() => this.#compare());
  }

  #renew(): Promise<void> | undefined {
    if (this.#hasEnded || this.#isPolled) return undefined;
    const isThorough = this.#isThorough;
    this.#isThorough = false;
    const renewals = this.#watchers.map((watcher) => watcher.renew(isThorough)).filter((renewal) => renewal !== undefined);
    return renewals.length === 0 ? undefined : settleAll(renewals).catch((error: unknown) => this.#giveUp(error));
  }

  async #giveUp(error: unknown): Promise<void> {
    this.#isPolled = true;
    // What was started is given back: on a machine without watches left, others need them.
    await this.#closeWatchers().catch((failure: unknown) => this.#failed(failure));
    this.#failed(new PollingError(error));
  }

  #pollAfter(took: number): void {
    clearTimeout(this.#poll);
    if (!this.#hasEnded) this.#poll = setTimeout(() => this.#hint(), Math.max(POLL, took * PAUSE)).unref();
  }

  async #closeWatchers(): Promise<void> {
    await settleAll(this.#watchers.map((watcher) => watcher.close()));
  }

  #compare(): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    try {
      const fingerprint = this.#subject.fingerprint();
      if (typeof fingerprint !== 'string')
        return fingerprint.then((later) => this.#found(later)).catch((error: unknown) => this.#failed(error));
      this.#found(fingerprint);
    } catch (error) {
      this.#failed(error);
    }
    return undefined;
  }

  #failed(error: unknown): void {
    if (!this.#hasEnded) this.#context.report(error);
  }

  #found(fingerprint: string): void {
    if (this.#hasEnded || fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    for (const listener of this.#listeners) {
      if (!listener.live) continue;
      this.#announced = performance.now();
      try {
        listener.changed();
      } catch (error) {
        this.#context.report(error);
      }
    }
  }
}
