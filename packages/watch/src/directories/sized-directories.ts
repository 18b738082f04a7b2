import { opendir } from 'node:fs/promises';

import { isForbidden, isMissing } from '../error-code.ts';
import type { Directories, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/**
 * Entries up to which chokidar watches a directory: it looks at each of them when it starts and at every event.
 *
 * Measured with 500 directories of 100 entries each: ready after 2.2 s and 357 MB, against 1.0 s and 170 MB without it; with one of
 * 10,000 entries, 63 ms of processor time for each event, against 0.6 ms.
 */
const BOUND = 50;

/** Watches directories one way if they are small when they are opened, and another way if they are large. */
export class SizedDirectories implements Directories {
  readonly #small: Directories;
  readonly #large: Directories;

  constructor(small: Directories, large: Directories) {
    this.#small = small;
    this.#large = large;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    const directories = (await isLarge(directory.path)) ? this.#large : this.#small;
    return directories.open(directory, listener);
  }
}

async function isLarge(location: string): Promise<boolean> {
  try {
    const directory = await opendir(location);
    try {
      let entries = 0;
      while (entries <= BOUND && (await directory.read()) !== null) entries++;
      return entries > BOUND;
    } finally {
      await directory.close();
    }
  } catch (error) {
    // Whoever opens it says why it cannot be watched.
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}
