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

  constructor(target: string, directories: Directories, listener: DirectoryListener) {
    this.#target = target;
    this.#directories = directories;
    this.#listener = listener;
  }

  /** The directory that is watched. */
  get at(): string {
    return this.#directory?.path ?? this.#target;
  }

  /** Moves the watch to where it belongs now. */
  async renew(): Promise<void> {
    // What came or went while a watch was being opened shows when one looks again.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const nearest = await nearestDirectory(this.#target);
      if (this.#holds(nearest)) return;
      await this.close();
      this.#directory = nearest;
      this.#watch = await this.#directories.open(nearest, this.#listener);
    }
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }

  #holds({ path, identity }: Directory): boolean {
    if (this.#watch === undefined || this.#watch.lost) return false;
    return this.#directory?.path === path && this.#directory.identity === identity;
  }
}
