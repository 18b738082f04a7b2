import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

import { isMissing } from '../error-code.ts';
import {
  directoryEvent,
  isOwnEnd,
  type Alarm,
  type Directories,
  type DirectoryListener,
  type DirectoryWatch,
} from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Watches each directory with an `fs.watch` of its own: one watch of the system, and nothing is read. */
export class NativeDirectories implements Directories {
  readonly #alarm: Alarm;

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    try {
      return new NativeWatch(watch(directory.path), path.basename(directory.path), { alarm: this.#alarm, listener });
    } catch (error) {
      if (isMissing(error)) return GONE;
      throw error;
    }
  }
}

const GONE: DirectoryWatch = { lost: true, close: () => Promise.resolve() };

class NativeWatch implements DirectoryWatch {
  readonly #watcher: FSWatcher;
  readonly #alarm: Alarm;
  readonly #listener: DirectoryListener;
  #lost = false;

  constructor(watcher: FSWatcher, name: string, { alarm, listener }: { alarm: Alarm; listener: DirectoryListener }) {
    this.#watcher = watcher;
    this.#alarm = alarm;
    this.#listener = listener;
    watcher.on('change', (kind, entry) => this.#heard(kind, entry, name));
    watcher.on('error', (error) => {
      this.#lose();
      alarm.failed(error);
    });
  }

  get lost(): boolean {
    return this.#lost;
  }

  close(): Promise<void> {
    this.#watcher.close();
    return Promise.resolve();
  }

  #heard(kind: string, entry: unknown, name: string): void {
    const event = directoryEvent(kind, entry);
    this.#alarm.heard();
    this.#listener.heard(event);
    if (isOwnEnd(event, name)) this.#lose();
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#watcher.close();
    this.#listener.lost();
  }
}
