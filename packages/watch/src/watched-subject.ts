import type { Directories } from './directories/directory-watch.ts';
import { watcherOf, type PlaceWatcher } from './places/place-watcher.ts';
import { settleAll } from './settle-all.ts';
import type { Subject } from './subject.ts';

/** Milliseconds for which hints are gathered before the subject is looked at. */
const WINDOW = 75;

/** Milliseconds between two looks at a subject that cannot be watched. */
const POLL = 1000;

/** What all subjects of a hub have in common. */
export interface HubContext {
  readonly forPaths: Directories;
  readonly forTrees: Directories;
  /** Something of the caller's failed. */
  report(error: unknown): void;
  /** A subject cannot be watched, so it is polled. */
  refused(error: unknown): void;
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
  #fingerprint: string | undefined;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #isThorough = false;
  #isPolled = false;
  #window: NodeJS.Timeout | undefined;
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

  /** Compares fingerprints once, and tells the listeners if they differ; `thorough`: after a look at everything that is watched. */
  check(thorough = false): Promise<void> {
    this.#isThorough ||= thorough;
    // One check follows the one that runs, however many ask for it: what happens meanwhile is seen by that one.
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      this.#current = this.#compare();
      return this.#current;
    });
    return this.#next;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#window);
    clearTimeout(this.#poll);
    await this.#renewal;
    await this.#closeWatchers();
  }

  #hint(): void {
    if (this.#hasEnded) return;
    this.#window ??= setTimeout(() => {
      this.#window = undefined;
      void this.check();
    }, WINDOW).unref();
  }

  get #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  async #compare(): Promise<void> {
    this.#renewal = this.#renew();
    await this.#renewal;
    if (this.#hasEnded) return;
    try {
      const fingerprint = await this.#subject.fingerprint();
      if (this.#hasEnded || fingerprint === this.#fingerprint) return;
      this.#fingerprint = fingerprint;
    } catch (error) {
      if (!this.#hasEnded) this.#context.report(error);
      return;
    }
    this.#announce();
  }

  async #renew(): Promise<void> {
    if (this.#hasEnded || this.#isPolled) return;
    const isThorough = this.#isThorough;
    this.#isThorough = false;
    try {
      await settleAll(this.#watchers.map((watcher) => watcher.renew(isThorough)));
    } catch (error) {
      this.#isPolled = true;
      // What was started is given back: on a machine without watches left, others need them.
      await this.#closeWatchers();
      if (this.#hasEnded) return;
      this.#context.refused(error);
      this.#pollLater();
    }
  }

  #pollLater(): void {
    this.#poll = setTimeout(() => {
      void this.check().then(() => {
        if (!this.#hasEnded) this.#pollLater();
      });
    }, POLL).unref();
  }

  async #closeWatchers(): Promise<void> {
    await settleAll(this.#watchers.map((watcher) => watcher.close()));
  }

  #announce(): void {
    for (const listener of this.#listeners) {
      if (!listener.live) continue;
      try {
        listener.changed();
      } catch (error) {
        this.#context.report(error);
      }
    }
  }
}
