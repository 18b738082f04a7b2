import type { Directories, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';
import { SharedDirectory } from './shared-directory.ts';

/** Watches each directory once, however many listen to it. */
export class SharedDirectories implements Directories {
  readonly #shared = new Map<string, SharedDirectory>();
  readonly #directories: Directories;

  constructor(directories: Directories) {
    this.#directories = directories;
  }

  async open(directory: Directory, listener: DirectoryListener): Promise<DirectoryWatch> {
    let shared = this.#shared.get(directory.path);
    while (shared !== undefined && !shared.serves(directory)) {
      // chokidar keeps one `fs.watch` for a path: one of a directory that was replaced must be closed before another is opened.
      await shared.close();
      if (this.#shared.get(directory.path) === shared) this.#shared.delete(directory.path);
      shared = this.#shared.get(directory.path);
    }
    shared ??= this.#start(directory);
    return shared.join(listener);
  }

  #start(directory: Directory): SharedDirectory {
    const shared = new SharedDirectory(directory, this.#directories, () => {
      if (this.#shared.get(directory.path) === shared) this.#shared.delete(directory.path);
    });
    this.#shared.set(directory.path, shared);
    return shared;
  }
}
