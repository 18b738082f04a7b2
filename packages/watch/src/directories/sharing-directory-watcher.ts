import type { DirectoryWatcher, DirectoryListener, DirectoryWatch, DirectoryEvent } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Opens one watch per directory for any number of listeners. */
export class SharingDirectoryWatcher implements DirectoryWatcher {
  readonly #shared = new Map<string, SharedWatch>();
  readonly #directories: DirectoryWatcher;

  constructor(directories: DirectoryWatcher) {
    this.#directories = directories;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    let shared = this.#shared.get(directory.path);
    while (shared !== undefined && !shared.watches(directory)) {
      // chokidar keeps one `fs.watch` per path, so the watch of a replaced directory must be closed before another is opened.
      await shared.close();
      if (this.#shared.get(directory.path) === shared) this.#shared.delete(directory.path);
      shared = this.#shared.get(directory.path);
    }
    shared ??= this.#start(directory);
    return shared.join(listener);
  }

  #start(directory: Directory): SharedWatch {
    const shared = new SharedWatch(directory, this.#directories, () => {
      if (this.#shared.get(directory.path) === shared) this.#shared.delete(directory.path);
    });
    this.#shared.set(directory.path, shared);
    return shared;
  }
}

/** The watch of one directory. All listeners of the directory share the watch, which closes when the last listener leaves. */
class SharedWatch {
  readonly #identity: string;
  readonly #closed: () => void;
  /** Listeners by the name of the entry that each of them observes, because an event concerns few of thousands of listeners. */
  readonly #listeners = new Map<string | undefined, Set<DirectoryListener>>();
  readonly #watch: Promise<DirectoryWatch>;
  #closing: Promise<void> | undefined;

  constructor(directory: Directory, directories: DirectoryWatcher, closed: () => void) {
    this.#identity = directory.identity;
    this.#closed = closed;
    this.#watch = directories.open(directory, { onEvent: (event) => this.#onEvent(event), onLost: () => this.#lose() });
  }

  /** Returns whether this watch belongs to the given directory, not to an earlier directory at the same path. */
  watches({ identity }: Directory): boolean {
    return this.#closing === undefined && this.#identity === identity;
  }

  async join(listener: DirectoryListener): Promise<DirectoryWatch> {
    this.#add(listener);
    try {
      const watch = await this.#watch;
      const isLost = (): boolean => this.#closing !== undefined || watch.isLost;
      return {
        get isLost() {
          return isLost();
        },
        close: () => this.#leave(listener),
      };
    } catch (error) {
      await this.#leave(listener);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#watch
      .then(
        (watch) => watch.close(),
        () => undefined,
      )
      .then(this.#closed);
    return this.#closing;
  }

  #add(listener: DirectoryListener): void {
    const same = this.#listeners.get(listener.entry);
    if (same === undefined) this.#listeners.set(listener.entry, new Set([listener]));
    else same.add(listener);
  }

  async #leave(listener: DirectoryListener): Promise<void> {
    const same = this.#listeners.get(listener.entry);
    same?.delete(listener);
    if (same?.size === 0) this.#listeners.delete(listener.entry);
    if (this.#listeners.size === 0) await this.close();
  }

  #onEvent(event: DirectoryEvent): void {
    for (const listener of event.name === undefined ? this.#allListeners() : this.#listenersFor(event.name))
      listener.onEvent(event);
  }

  #lose(): void {
    if (this.#closing !== undefined) return;
    void this.close();
    for (const listener of this.#allListeners()) listener.onLost();
  }

  #allListeners(): readonly DirectoryListener[] {
    return [...this.#listeners.values()].flatMap((listeners) => [...listeners]);
  }

  #listenersFor(name: string): readonly DirectoryListener[] {
    return [name, undefined].flatMap((entry) => [...(this.#listeners.get(entry) ?? [])]);
  }
}
