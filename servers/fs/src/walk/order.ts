import type { EntryType } from '../storage/entry-type.ts';

export const SORT_KEYS = ['name', 'size', 'mtime', 'type'] as const;

export type SortKey = (typeof SORT_KEYS)[number];

interface Sortable {
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
}

const RANKS: Readonly<Record<EntryType, number>> = { directory: 0, file: 1, symlink: 2, other: 3 };

/**
 * Values that are compared before the names. The order is: largest size; latest time; directories, files, links, other
 * entries.
 */
const KEYS: Readonly<Record<Exclude<SortKey, 'name'>, (entry: Sortable) => number>> = {
  size: ({ size = 0 }) => -size,
  mtime: ({ mtimeMs = 0 }) => -mtimeMs,
  type: ({ type }) => RANKS[type],
};

/** Returns whether sorting requires the facts of each entry from `lstat`. */
export function needsFacts(sortBy: SortKey | undefined): boolean {
  return sortBy === 'size' || sortBy === 'mtime';
}

/** Creates a comparison by a sort key, then by name. */
export function createComparison<Entry extends Sortable>(
  sortBy: SortKey,
  getName: (entry: Entry) => string,
): (one: Entry, other: Entry) => number {
  const byName = (one: Entry, other: Entry): number => (getName(one) < getName(other) ? -1 : 1);
  if (sortBy === 'name') return byName;
  const key = KEYS[sortBy];
  return (one, other) => key(one) - key(other) || byName(one, other);
}
