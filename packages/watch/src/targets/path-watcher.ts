import { lstat, statfs } from 'node:fs/promises';
import path from 'node:path';

import type { DirectoryTarget, FileTarget } from '../resources/watched-resource.ts';
import { NearestDirectoryWatch } from './nearest-directory-watch.ts';
import type { TargetWatcher, WatchContext } from './target-watcher.ts';

/**
 * File systems, by their Linux numbers, that may wait for another machine or a program: NFS, SMB, 9P, FUSE, Ceph, AFS, Lustre.
 */
const REMOTE_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f, 0x0bd00bd0,
]);

/** Watches a file through its directory, or the entries of a directory. */
export class PathWatcher implements TargetWatcher {
  readonly #path: string;
  readonly #directoryWatch: NearestDirectoryWatch;
  #isLocal = false;

  constructor({ kind, path: location }: FileTarget | DirectoryTarget, { forPaths, hint }: WatchContext) {
    this.#path = location;
    const listener = { onEvent: hint, onLost: hint };
    this.#directoryWatch =
      kind === 'file'
        ? new NearestDirectoryWatch(path.dirname(location), forPaths, { ...listener, entry: path.basename(location) })
        : new NearestDirectoryWatch(location, forPaths, listener);
  }

  renew(): Promise<void> | undefined {
    return this.#isLocal ? this.#directoryWatch.renew() : this.#renewInBackground();
  }

  close(): Promise<void> {
    return this.#directoryWatch.close();
  }

  /** Awaits `lstat` first, so that the synchronous calls afterwards find the path in the cache of the system and do not block. */
  async #renewInBackground(): Promise<void> {
    await lstat(this.#path).catch(() => undefined);
    await this.#directoryWatch.renew();
    this.#isLocal = await isLocal(this.#directoryWatch.watchedPath);
  }
}

/** Returns whether a path exists and is on none of the {@link REMOTE_FILE_SYSTEMS}, which are recognised only on Linux. */
async function isLocal(location: string): Promise<boolean> {
  try {
    return !REMOTE_FILE_SYSTEMS.has((await statfs(location)).type);
  } catch {
    return false;
  }
}
