import path from 'node:path';

import type { Snapshot } from '../journal/snapshot.ts';

/** The state of one path; a directory without its entries. */
export type Leaf =
  | { readonly type: 'none' }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'symlink'; readonly target: string }
  | FileLeaf;

export interface FileLeaf {
  readonly type: 'file';
  /** SHA-256, hexadecimal */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  /** Path of a file on the disk with this content. */
  readonly place?: string;
  /** The content, if it is neither on the disk nor in the journal. */
  readonly bytes?: Buffer;
}

export const NO_LEAF: Leaf = { type: 'none' };

/** Returns the state of a path and of every entry below it, by path. */
export function flattenSnapshot(place: string, snapshot: Snapshot): ReadonlyMap<string, Leaf> {
  if (snapshot.type !== 'directory') return new Map([[place, snapshot]]);
  return new Map<string, Leaf>([
    [place, { type: 'directory', mode: snapshot.mode }],
    ...snapshot.entries.flatMap(([name, entry]) => [...flattenSnapshot(path.join(place, name), entry)]),
  ]);
}

/** Whether two states have the same type and content; their permissions may differ. */
export function areEqual(one: Leaf, other: Leaf): boolean {
  if (one.type === 'file' && other.type === 'file') return one.hash === other.hash;
  if (one.type === 'symlink' && other.type === 'symlink') return one.target === other.target;
  return one.type === other.type;
}
