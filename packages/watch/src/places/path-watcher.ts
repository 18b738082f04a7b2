import path from 'node:path';

import type { DirectoryEvent } from '../directories/directory-watch.ts';
import type { DirectoryPlace, FilePlace } from '../subject.ts';
import { Anchor } from './anchor.ts';
import type { PlaceWatcher, Surroundings } from './place-watcher.ts';

/** Watches a file by its directory, or the entries of a directory. */
export class PathWatcher implements PlaceWatcher {
  readonly #path: string;
  readonly #anchor: Anchor;

  constructor(place: FilePlace | DirectoryPlace, { forPaths, hint }: Surroundings) {
    this.#path = place.path;
    this.#anchor = new Anchor(place.kind === 'file' ? path.dirname(place.path) : place.path, forPaths, {
      heard: (event) => {
        if (this.#concerns(event)) hint();
      },
      lost: hint,
    });
  }

  renew(): Promise<void> {
    return this.#anchor.renew();
  }

  close(): Promise<void> {
    return this.#anchor.close();
  }

  #concerns({ kind, name }: DirectoryEvent): boolean {
    if (name === undefined) return true;
    const [next] = path.relative(this.#anchor.at, this.#path).split(path.sep);
    return next === '' ? kind === 'rename' : name === next;
  }
}
