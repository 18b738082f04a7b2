import { opendir } from 'node:fs/promises';

import { isForbidden, isMissing } from '../system/watch-errors.ts';
import type { DirectoryWatcher, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/**
 * Maximum number of entries of a directory that chokidar watches. Chokidar examines all entries at its start and at every event.
 *
 * Measured with 500 directories of 100 entries each: ready after 2.2 s with 357 MB, against 1.0 s with 170 MB without chokidar.
 * With one directory of 10,000 entries: 63 ms of CPU time per event, against 0.6 ms.
 */
const MAX_SMALL = 50;

/** Selects the watcher of a directory by the number of entries when the watch is opened. */
export class SizedDirectoryWatcher implements DirectoryWatcher {
  readonly #small: DirectoryWatcher;
  readonly #large: DirectoryWatcher;

  constructor(small: DirectoryWatcher, large: DirectoryWatcher) {
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
      while (entries <= MAX_SMALL && (await directory.read()) !== null) entries++;
      return entries > MAX_SMALL;
    } finally {
      await directory.close();
    }
  } catch (error) {
    // The selected watcher reports this error when it opens the directory.
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}
