import type { DirectoryPaths } from '../paths/containment.ts';
import type { MaybePromise } from '../pinning/file-system-calls.ts';
import type { RootBackend } from '../pinning/pinned-path.ts';

/** `rw`: contents may be changed. `ro`: contents may only be read. */
export type RootMode = 'rw' | 'ro';

/**
 * `unavailable`: the directory does not exist or cannot be examined. `changed`: the path names another directory than at
 * server start, or than when it first existed.
 */
export type RootState = 'available' | 'unavailable' | 'changed';

/** A directory that may be accessed. */
export interface RootDirectory extends DirectoryPaths {
  /** Absolute path, as the operator or the client wrote it. */
  readonly path: string;
  /** Path with every symbolic link resolved; equal to {@link RootDirectory.path} until the directory exists. */
  readonly realPath: string;
  /** A `file:` URI of {@link RootDirectory.path}. */
  readonly uri: string;
  readonly mode: RootMode;
  /** The party that allowed the directory. */
  readonly from: 'operator' | 'client';
  /** Examines the directory now. */
  state(): Promise<RootState>;
}

/** A root with the parts that only this package uses. */
export interface Boundary extends RootDirectory {
  readonly backend: RootBackend;
  /** Device number of its file system; `undefined` until the directory exists. */
  readonly device: bigint | undefined;
  /** Returns the real path in the spelling that the kernel currently reports, which may differ from the listed names. */
  kernelPath(): MaybePromise<string>;
  /**
   * Returns a path by which an entry below the root can be pinned. Links on this path are followed.
   * @throws ToolError ROOT_UNAVAILABLE or ROOT_CHANGED if the root is in this state
   */
  accessPath(names: readonly string[]): Promise<string>;
}
