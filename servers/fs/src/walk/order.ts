import type { EntryType } from '../entry-type.ts';
import type { SortKey } from './job.ts';

interface Sortable {
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
}

const RANKS: Readonly<Record<EntryType, number>> = { directory: 0, file: 1, symlink: 2, other: 3 };

/** By which number entries are put in order before their names: the largest and the latest first, directories before files. */
const KEYS: Readonly<Record<Exclude<SortKey, 'name'>, (entry: Sortable) => number>> = {
  size: ({ size = 0 }) => -size,
  mtime: ({ mtimeMs = 0 }) => -mtimeMs,
  type: ({ type }) => RANKS[type],
};

/** Whether facts are needed that only the file itself tells. */
export function needsFacts(sortBy: SortKey | undefined): boolean {
  return sortBy === 'size' || sortBy === 'mtime';
}

/** How entries are put in order; equal ones by name. */
export function orderBy<Entry extends Sortable>(
  sortBy: SortKey,
  nameOf: (entry: Entry) => string,
): (one: Entry, other: Entry) => number {
  const byName = (one: Entry, other: Entry): number => (nameOf(one) < nameOf(other) ? -1 : 1);
  if (sortBy === 'name') return byName;
  const key = KEYS[sortBy];
  return (one, other) => key(one) - key(other) || byName(one, other);
}
