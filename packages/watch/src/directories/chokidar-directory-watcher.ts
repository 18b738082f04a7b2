import path from 'node:path';

import type { FSWatcher } from 'chokidar';

import {
  parseDirectoryEvent,
  isOwnRemoval,
  type WatchObserver,
  type DirectoryWatcher,
  type DirectoryListener,
  type DirectoryWatch,
} from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Watches each directory with its own chokidar instance: one system watch for the directory, none for its entries. */
export class ChokidarDirectoryWatcher implements DirectoryWatcher {
  readonly #observer: WatchObserver;

  constructor(observer: WatchObserver) {
    this.#observer = observer;
  }

  async open({ path: location }: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    const watch = new ChokidarWatch(location, this.#observer, listener);
    await watch.ready;
    return watch;
  }
}

class ChokidarWatch implements DirectoryWatch {
  readonly #path: string;
  readonly #observer: WatchObserver;
  readonly #listener: DirectoryListener;
  readonly #watcher: Promise<FSWatcher>;
  #closing: Promise<void> | undefined;

  constructor(location: string, observer: WatchObserver, listener: DirectoryListener) {
    this.#path = location;
    this.#observer = observer;
    this.#listener = listener;
    this.#watcher = this.#start();
  }

  get ready(): Promise<unknown> {
    return this.#watcher;
  }

  get isLost(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<void> {
    // If chokidar is closed before it is ready, it may leak its `fs.watch`.
    this.#closing ??= this.#watcher.then((watcher) => watcher.close());
    return this.#closing;
  }

  async #start(): Promise<FSWatcher> {
    const { watch } = await import('chokidar');
    const watcher = watch(this.#path, {
      depth: 0,
      // All entries are ignored: the watch of the directory reports them by name, so they need no watches of their own.
      ignored: (candidate) => path.resolve(candidate) !== this.#path,
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
    });
    watcher.on('raw', (kind, name) => this.#onEvent(kind, name));
    try {
      await ready(watcher);
    } catch (error) {
      await watcher.close();
      throw error;
    }
    watcher.on('error', (error) => {
      this.#lose();
      this.#observer.onError(error);
    });
    return watcher;
  }

  #onEvent(kind: string, name: unknown): void {
    const event = parseDirectoryEvent(kind, name);
    this.#observer.onEvent();
    this.#listener.onEvent(event);
    if (isOwnRemoval(event, path.basename(this.#path))) this.#lose();
  }

  #lose(): void {
    if (this.isLost) return;
    void this.close();
    this.#listener.onLost();
  }
}

async function ready(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.on('error', reject);
  });
}
