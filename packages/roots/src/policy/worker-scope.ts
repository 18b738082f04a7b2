import type { DirectoryPaths } from '../paths/containment.ts';
import type { Guarantee } from '../pinning/pinned-path.ts';
import type { Denials } from './walk-denials.ts';

/**
 * Plain values with which a worker thread can walk a directory by itself.
 * Like a handle, the thread must open each name without following a link and examine the open descriptor. If it opens a
 * path of several names, it must verify the real path of the result. It must skip denied names.
 */
export interface WorkerScope {
  /** A path for calls of `node:fs` in this process. With the guarantee `pinned`, the path cannot be redirected while the handle is open. */
  readonly base: string;
  /** Real path of the directory in the spelling that the kernel reports; it must not be shown to clients. */
  readonly real: string;
  /** Real path of the directory with each name as its parent lists it. Rules apply to this path. */
  readonly listed: string;
  readonly guarantee: Guarantee;
  /** Whether local disks answer every call, so that a short walk does not need a thread. */
  readonly isLocal: boolean;
  /**
   * Device number (`dev` of `node:fs`) of the only file system that may be entered; `undefined` if every file system may be
   * entered.
   */
  readonly device: number | undefined;
  readonly denials: Denials;
  /** The directories of the call. The text of a link may be shown only if it stays inside them. */
  readonly directories: readonly DirectoryPaths[];
  /** Whether a file with a second hard link may be opened. */
  readonly hardLinks: 'allow' | 'deny';
}
