import type { BigIntStats } from 'node:fs';

import type { Answer } from './calls.ts';

/** Something that was found, held so that it stays the same whatever happens to its path. */
export interface Anchor {
  /** What it was when it was found. */
  readonly facts: BigIntStats;
  /** Its absolute path now, without links. Fails with ENOENT for what was removed. */
  real(): Answer<string>;
  /** A path to it, or to a name in it, that leads nowhere else. For calls of `node:fs` only. */
  at(name?: string): Answer<string>;
  /** A descriptor for its content. */
  open(flags: number): Answer<number>;
  close(): Answer<void>;
}

/** Finds and holds what a path leads to. `follows`: a link in its last part is followed. */
export type Hold = (target: string, follows: boolean) => Promise<Anchor>;

/**
 * How sure it is that an operation meets what was verified. `pinned`: it is held by a descriptor, and every use goes through that.
 * `rechecked`: its path is looked at before and after each use, and somebody fast enough may get in between.
 */
export type Guarantee = 'pinned' | 'rechecked';

/** Whether they are of one thing. The number of one that was removed may be given to the next. */
export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.birthtimeNs === other.birthtimeNs;
}

/** An error as the file system has it for what is not there. */
export function gone(): Error {
  return Object.assign(new Error('ENOENT: it was moved or removed while it was used'), { code: 'ENOENT' });
}
