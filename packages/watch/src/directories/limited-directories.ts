import type { Directories, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';
import type { WatchLimit } from './watch-limit.ts';

/** Watches no more directories than a limit allows. */
export class LimitedDirectories implements Directories {
  readonly #directories: Directories;
  readonly #limit: WatchLimit;

  constructor(directories: Directories, limit: WatchLimit) {
    this.#directories = directories;
    this.#limit = limit;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    const release = this.#limit.take();
    try {
      return releasing(await this.#directories.open(directory, listener), release);
    } catch (error) {
      release();
      throw error;
    }
  }
}

function releasing(watch: DirectoryWatch, release: () => void): DirectoryWatch {
  return {
    get lost() {
      return watch.lost;
    },
    close: () => {
      release();
      return watch.close();
    },
  };
}
