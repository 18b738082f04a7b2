import path from 'node:path';

import type { FSWatcher } from 'chokidar';

import {
  directoryEvent,
  isOwnEnd,
  type Alarm,
  type Directories,
  type DirectoryListener,
  type DirectoryWatch,
} from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Watches each directory with a chokidar of its own: one watch of the system, none for its entries. */
export class ChokidarDirectories implements Directories {
  readonly #alarm: Alarm;

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  async open({ path: location }: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    const watch = new ChokidarWatch(location, this.#alarm, listener);
    await watch.ready;
    return watch;
  }
}

class ChokidarWatch implements DirectoryWatch {
  readonly #path: string;
  readonly #alarm: Alarm;
  readonly #listener: DirectoryListener;
  readonly #watcher: Promise<FSWatcher>;
  #closing: Promise<void> | undefined;

  constructor(location: string, alarm: Alarm, listener: DirectoryListener) {
    this.#path = location;
    this.#alarm = alarm;
    this.#listener = listener;
    this.#watcher = this.#start();
  }

  get ready(): Promise<unknown> {
    return this.#watcher;
  }

  get lost(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<void> {
    // A chokidar that is closed before it is ready may leave its `fs.watch` behind.
    this.#closing ??= this.#watcher.then((watcher) => watcher.close());
    return this.#closing;
  }

  async #start(): Promise<FSWatcher> {
    const { watch } = await import('chokidar');
    const watcher = watch(this.#path, {
      depth: 0,
      // Everything in it: the directory's own watch tells of its entries by name, so that none of them costs a watch.
      ignored: (candidate) => path.resolve(candidate) !== this.#path,
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
    this.#listener.heard(event);
    if (isOwnEnd(event, path.basename(this.#path))) this.#lose();
  }

  #lose(): void {
    if (this.lost) return;
    void this.close();
    this.#listener.lost();
  }
}

async function ready(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.on('error', reject);
  });
}
