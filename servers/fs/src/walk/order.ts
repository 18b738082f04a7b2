import type { EntryType } from '../entry-type.ts';
import type { SortKey } from './job.ts';

interface Sortable {
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
}

const RANKS: Readonly<Record<EntryType, number>> = { directory: 0, file: 1, symlink: 2, other: 3 };

/** By which number entries are put in order before their names: the largest and the latest first, directories before files. */
const KEYS: Readonly<Record<SortKey, (entry: Sortable) => number>> = {
  name: () => 0,
  size: ({ size = 0 }) => -size,
  mtime: ({ mtimeMs = 0 }) => -mtimeMs,
  type: ({ type }) => RANKS[type],
};

/** Whether facts are needed that only the file itself tells. */
export function needsFacts(sortBy: SortKey | undefined): boolean {
  return sortBy === 'size' || sortBy === 'mtime';
}

/** Sorts entries in place; equal ones by name. */
export function sortEntries<Entry extends Sortable>(
  entries: Entry[],
  sortBy: SortKey,
  nameOf: (entry: Entry) => string,
): Entry[] {
  const key = KEYS[sortBy];
  return entries.sort((one, other) => key(one) - key(other) || (nameOf(one) < nameOf(other) ? -1 : 1));
}
