import type { DirectoryWatcher } from '../directories/directory-watch.ts';

/** Watches one target. */
export interface TargetWatcher {
  /**
   * Starts the watches that the target needs now and closes the others. Calls must not overlap.
   *
   * Rejects if the target cannot be watched. Returns `undefined` if the watches are already right.
   *
   * @param isThorough whether directories without events are examined too
   */
  renew(isThorough: boolean): Promise<void> | undefined;
  /** Closes all watches. Must not be called while {@link TargetWatcher.renew} runs. */
  close(): Promise<void>;
}

/** The ways to watch directories, and the callbacks of a monitor. */
export interface WatchContext {
  readonly forPaths: DirectoryWatcher;
  readonly forTrees: DirectoryWatcher;
  /** Reports a possible change. */
  readonly hint: () => void;
  /** Aborted when the resource is no longer watched. */
  readonly signal: AbortSignal;
}
