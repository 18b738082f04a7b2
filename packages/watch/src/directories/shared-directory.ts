import path from 'node:path';

import type { FSWatcher } from 'chokidar';

import { directoryEvent, isOwnEnd, type Alarm, type DirectoryListener, type DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** One directory watched by chokidar for all who listen to it; closed with the last of them. */
export class SharedDirectory {
  readonly #directory: Directory;
  readonly #alarm: Alarm;
  readonly #closed: () => void;
  readonly #listeners = new Set<DirectoryListener>();
  readonly #watcher: Promise<FSWatcher>;
  #closing: Promise<void> | undefined;

  constructor(directory: Directory, alarm: Alarm, closed: () => void) {
    this.#directory = directory;
    this.#alarm = alarm;
    this.#closed = closed;
    this.#watcher = this.#start();
  }

  /** Whether it watches this very directory, and not one that was at its path before. */
  serves({ identity }: Directory): boolean {
    return this.#closing === undefined && this.#directory.identity === identity;
  }

  async join(listener: DirectoryListener): Promise<DirectoryWatch> {
    this.#listeners.add(listener);
    try {
      await this.#watcher;
    } catch (error) {
      await this.#leave(listener);
      throw error;
    }
    return this.#watchOf(listener);
  }

  close(): Promise<void> {
    // A chokidar that is closed before it is ready may leave its `fs.watch` behind.
    this.#closing ??= this.#watcher
      .then(
        (watcher) => watcher.close(),
        () => undefined,
      )
      .then(this.#closed);
    return this.#closing;
  }

  #watchOf(listener: DirectoryListener): DirectoryWatch {
    const isLost = (): boolean => this.#closing !== undefined;
    return {
      get lost() {
        return isLost();
      },
      close: () => this.#leave(listener),
    };
  }

  async #leave(listener: DirectoryListener): Promise<void> {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) await this.close();
  }

  async #start(): Promise<FSWatcher> {
    const { watch } = await import('chokidar');
    const { path: watched } = this.#directory;
    const watcher = watch(watched, {
      depth: 0,
      // Everything in it: the directory's own watch tells of its entries by name, so that none of them costs a watch.
      ignored: (candidate) => path.resolve(candidate) !== watched,
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
    });
    watcher.on('raw', (kind, name) => this.#heard(kind, name));
    try {
      await ready(watcher);
    } catch (error) {
      await watcher.close();
      throw error;
    }
    watcher.on('error', (error) => {
      this.#lose();
      this.#alarm.failed(error);
    });
    return watcher;
  }

  #heard(kind: string, name: unknown): void {
    const event = directoryEvent(kind, name);
    this.#alarm.heard();
    for (const listener of this.#listeners) listener.heard(event);
    if (isOwnEnd(event, path.basename(this.#directory.path))) this.#lose();
  }

  #lose(): void {
    if (this.#closing !== undefined) return;
    void this.close();
    for (const listener of this.#listeners) listener.lost();
  }
}

async function ready(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.on('error', reject);
  });
}
