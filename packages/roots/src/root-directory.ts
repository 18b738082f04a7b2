import type { Answer } from './hold/calls.ts';
import type { Ground } from './hold/ground.ts';
import type { Named } from './paths/locate.ts';

/** Whether what is in a root may be changed. */
export type RootMode = 'rw' | 'ro';

/** `unavailable`: nothing is there. `changed`: another directory is there than when the server was started. */
export type RootState = 'available' | 'unavailable' | 'changed';

/** A directory that may be touched. */
export interface RootDirectory extends Named {
  /** Absolute, as the operator or the client named it. */
  readonly path: string;
  /** With every symbolic link resolved; the same as {@link RootDirectory.path} as long as nothing was there. */
  readonly realPath: string;
  /** A `file:` URI of {@link RootDirectory.path}. */
  readonly uri: string;
  readonly mode: RootMode;
  /** Who named it. */
  readonly from: 'operator' | 'client';
  /** Looks at it now. */
  state(): Promise<RootState>;
}

/** A root as this package works with it. */
export interface Boundary extends RootDirectory {
  readonly ground: Ground;
  /** Its file system; `undefined` as long as nothing was there. */
  readonly device: bigint | undefined;
  /** Real path in the spelling that the kernel currently reports, which may differ from the listed names. */
  heldPath(): Answer<string>;
  /**
   * A path that leads to a name below, for an anchor to be got; links on the way are followed.
   *
   * @throws ToolError ROOT_UNAVAILABLE, ROOT_CHANGED
   */
  reach(names: readonly string[]): Promise<string>;
}
