import type { Directories } from '../directories/directory-watch.ts';
import type { Place } from '../subject.ts';
import { PathWatcher } from './path-watcher.ts';
import { TreeWatcher } from './tree-watcher.ts';

/** Watches one place. */
export interface PlaceWatcher {
  /**
   * Starts the watches that the place needs now and stops the others; never called twice at a time.
   *
   * Rejects if the place cannot be watched; `undefined` if nothing is to be done.
   *
   * @param thorough also where no event was heard
   */
  renew(thorough: boolean): Promise<void> | undefined;
  /** Called when no renewal runs. */
  close(): Promise<void>;
}

/** The ways to watch directories, and who wants to know of what happens in them. */
export interface Surroundings {
  readonly forPaths: Directories;
  readonly forTrees: Directories;
  /** Something may have changed. */
  readonly hint: () => void;
  /** Aborted when what is being renewed is not needed any more. */
  readonly signal: AbortSignal;
}

export function watcherOf(place: Place, surroundings: Surroundings): PlaceWatcher {
  return place.kind === 'tree' ? new TreeWatcher(place, surroundings) : new PathWatcher(place, surroundings);
}
