import type { Guarantee } from '../hold/anchor.ts';
import type { Named } from '../paths/locate.ts';
import type { Denials } from '../policy/walk-denials.ts';

/**
 * What a worker thread needs to go through a directory by calls of its own, as plain values that can be sent to it.
 *
 * The thread has to do for each name what handles do: open it without following a link, see by its descriptor what it is and,
 * where several names lead to it, that they lead where they should; and leave out what is denied.
 */
export interface ThreadGround {
  /** A path for calls of `node:fs` in this process; with `pinned` it leads to the directory and nowhere else while the handle is open. */
  readonly base: string;
  /** Real path of the directory in the spelling that the kernel reports; not to be shown to clients. */
  readonly real: string;
  /** Real path of the directory with each name as its parent lists it; rules apply to this path. */
  readonly listed: string;
  readonly guarantee: Guarantee;
  /** The file system that is not to be left, as `dev` of `node:fs`; `undefined`: any may be entered. */
  readonly device: number | undefined;
  readonly denials: Denials;
  /** Where a call may go: what a link says may be told if it leads there. */
  readonly directories: readonly Named[];
  /** Whether a file with a second name may be opened. */
  readonly hardLinks: 'allow' | 'deny';
}
