import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

import { isMissing } from '../system/watch-errors.ts';
import {
  parseDirectoryEvent,
  isOwnRemoval,
  type WatchObserver,
  type DirectoryWatcher,
  type DirectoryListener,
  type DirectoryWatch,
} from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Watches each directory with its own `fs.watch`: one system watch, and no entries are read. */
export class NativeDirectoryWatcher implements DirectoryWatcher {
  readonly #observer: WatchObserver;

  constructor(observer: WatchObserver) {
    this.#observer = observer;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    try {
      return new NativeWatch(watch(directory.path), path.basename(directory.path), { observer: this.#observer, listener });
    } catch (error) {
      if (isMissing(error)) return GONE;
      throw error;
    }
  }
}

const GONE: DirectoryWatch = { isLost: true, close: () => Promise.resolve() };

class NativeWatch implements DirectoryWatch {
  readonly #watcher: FSWatcher;
  readonly #observer: WatchObserver;
  readonly #listener: DirectoryListener;
  #isLost = false;

  constructor(
    watcher: FSWatcher,
    name: string,
    { observer, listener }: { observer: WatchObserver; listener: DirectoryListener },
  ) {
    this.#watcher = watcher;
    this.#observer = observer;
    this.#listener = listener;
    watcher.on('change', (kind, entry) => this.#onEvent(kind, entry, name));
    watcher.on('error', (error) => {
      this.#lose();
      observer.onError(error);
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  close(): Promise<void> {
    this.#watcher.close();
    return Promise.resolve();
  }

  #onEvent(kind: string, entry: unknown, name: string): void {
    const event = parseDirectoryEvent(kind, entry);
    this.#observer.onEvent();
    this.#listener.onEvent(event);
    if (isOwnRemoval(event, name)) this.#lose();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#watcher.close();
    this.#listener.onLost();
  }
}
