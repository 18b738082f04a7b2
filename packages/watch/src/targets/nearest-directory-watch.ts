import path from 'node:path';

import type { DirectoryWatcher, DirectoryListener, DirectoryWatch } from '../directories/directory-watch.ts';
import { findNearestDirectory, type Directory } from '../directories/directory.ts';

/** Maximum number of attempts to watch a directory that is being replaced. The next check tries again. */
const MAX_ATTEMPTS = 5;

/** Watches a directory, or its nearest existing parent while the directory is missing. */
export class NearestDirectoryWatch {
  readonly #target: string;
  readonly #directories: DirectoryWatcher;
  readonly #listener: DirectoryListener;
  #directory: Directory | undefined;
  #watch: DirectoryWatch | undefined;

  /** @param listener receives the events of the directory or, while it is missing, of its nearest existing parent */
  constructor(target: string, directories: DirectoryWatcher, listener: DirectoryListener) {
    this.#target = target;
    this.#directories = directories;
    this.#listener = listener;
  }

  /** Path of the directory that is watched now; the path of the target before the first watch. */
  get watchedPath(): string {
    return this.#directory?.path ?? this.#target;
  }

  /** Moves the watch if another directory is the nearest one now. Returns `undefined` if the watch is already in place. */
  renew(): Promise<void> | undefined {
    return this.#isInPlace() ? undefined : this.#move();
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }

  #isInPlace(): boolean {
    try {
      return this.#isWatching(findNearestDirectory(this.#target));
    } catch {
      return false;
    }
  }

  async #move(): Promise<void> {
    // The loop repeats the lookup, because a directory may be added or removed while its watch is being opened.
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const nearest = findNearestDirectory(this.#target);
      if (this.#isWatching(nearest)) return;
      await this.close();
      this.#directory = nearest;
      this.#watch = await this.#directories.open(nearest, this.#createListener(nearest.path));
    }
  }

  #createListener(directory: string): DirectoryListener {
    if (directory === this.#target) return this.#listener;
    const [next] = path.relative(directory, this.#target).split(path.sep);
    return { ...this.#listener, entry: next };
  }

  #isWatching({ path: location, identity }: Directory): boolean {
    if (this.#watch === undefined || this.#watch.isLost) return false;
    return this.#directory?.path === location && this.#directory.identity === identity;
  }
}
