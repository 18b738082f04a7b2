import type { DirectoryWatcher, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Limits the number of concurrent watches of all watchers that share it. */
export class WatchLimit {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Acquires a watch. Returns a function that releases it once. Throws an error with the code `MAX_WATCHES` if the limit is
   * reached.
   */
  acquire(): () => void {
    if (this.#taken >= this.#max) throw new WatchLimitError(this.#max);
    this.#taken++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken--;
    };
  }
}

/** Watches directories up to a limit. */
export class LimitedDirectoryWatcher implements DirectoryWatcher {
  readonly #directories: DirectoryWatcher;
  readonly #limit: WatchLimit;

  constructor(directories: DirectoryWatcher, limit: WatchLimit) {
    this.#directories = directories;
    this.#limit = limit;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    const release = this.#limit.acquire();
    try {
      return releaseOnClose(await this.#directories.open(directory, listener), release);
    } catch (error) {
      release();
      throw error;
    }
  }
}

function releaseOnClose(watch: DirectoryWatch, release: () => void): DirectoryWatch {
  return {
    get isLost() {
      return watch.isLost;
    },
    close: () => {
      release();
      return watch.close();
    },
  };
}

class WatchLimitError extends Error {
  override readonly name = 'WatchLimitError';
  readonly code = 'MAX_WATCHES';

  constructor(max: number) {
    super(`MAX_WATCHES: the limit of ${max} watched directories is reached`);
  }
}
