import { SharedDirectory } from './shared-directory.ts';
import type { Alarm, Directories, DirectoryListener, DirectoryWatch } from './directory-watch.ts';
import type { Directory } from './directory.ts';

/** Watches each directory with one chokidar, however many listen to it. */
export class SharedDirectories implements Directories {
  readonly #shared = new Map<string, SharedDirectory>();
  readonly #alarm: Alarm;

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
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
    const shared = new SharedDirectory(directory, this.#alarm, () => {
      if (this.#shared.get(directory.path) === shared) this.#shared.delete(directory.path);
    });
    this.#shared.set(directory.path, shared);
    return shared;
  }
}
