import path from 'node:path';

import type { Directories, DirectoryListener, DirectoryWatch } from '../directories/directory-watch.ts';
import { nearestDirectory, type Directory } from '../directories/directory.ts';

/** A directory that is replaced this often while it is being looked at is left to the next look. */
const ATTEMPTS = 5;

/** A watch on a directory, or on the nearest one above while it is not there. */
export class Anchor {
  readonly #target: string;
  readonly #directories: Directories;
  readonly #listener: DirectoryListener;
  #directory: Directory | undefined;
  #watch: DirectoryWatch | undefined;

  /** @param listener with the entry that it listens to once the target is there */
  constructor(target: string, directories: Directories, listener: DirectoryListener) {
    this.#target = target;
    this.#directories = directories;
    this.#listener = listener;
  }

  /** The directory that is watched. */
  get at(): string {
    return this.#directory?.path ?? this.#target;
  }

  /** Moves the watch to where it belongs now; `undefined` if it is there. */
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
      return this.#holds(nearestDirectory(this.#target));
    } catch {
      return false;
    }
  }

  async #move(): Promise<void> {
    // What came or went while a watch was being opened shows when one looks again.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const nearest = nearestDirectory(this.#target);
      if (this.#holds(nearest)) return;
      await this.close();
      this.#directory = nearest;
      this.#watch = await this.#directories.open(nearest, this.#listenerIn(nearest.path));
    }
  }

  #listenerIn(directory: string): DirectoryListener {
    if (directory === this.#target) return this.#listener;
    const [next] = path.relative(directory, this.#target).split(path.sep);
    return { ...this.#listener, entry: next };
  }

  #holds({ path: location, identity }: Directory): boolean {
    if (this.#watch === undefined || this.#watch.lost) return false;
    return this.#directory?.path === location && this.#directory.identity === identity;
  }
}
