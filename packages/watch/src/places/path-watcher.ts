import { lstat } from 'node:fs/promises';
import path from 'node:path';

import { isLocal } from '../local.ts';
import type { DirectoryPlace, FilePlace } from '../subject.ts';
import { Anchor } from './anchor.ts';
import type { PlaceWatcher, Surroundings } from './place-watcher.ts';

/** Watches a file by its directory, or the entries of a directory. */
export class PathWatcher implements PlaceWatcher {
  readonly #path: string;
  readonly #anchor: Anchor;
  #isLocal = false;

  constructor({ kind, path: location }: FilePlace | DirectoryPlace, { forPaths, hint }: Surroundings) {
    this.#path = location;
    const listener = { heard: hint, lost: hint };
    this.#anchor =
      kind === 'file'
        ? new Anchor(path.dirname(location), forPaths, { ...listener, entry: path.basename(location) })
        : new Anchor(location, forPaths, listener);
  }

  renew(): Promise<void> | undefined {
    return this.#isLocal ? this.#anchor.renew() : this.#renewPatiently();
  }

  close(): Promise<void> {
    return this.#anchor.close();
  }

  /** What was waited for here, the system then tells at once. */
  async #renewPatiently(): Promise<void> {
    await lstat(this.#path).catch(() => undefined);
    await this.#anchor.renew();
    this.#isLocal = await isLocal(this.#anchor.at);
  }
}
