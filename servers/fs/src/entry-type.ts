import type { BigIntStats, Dirent, Stats } from 'node:fs';

export const ENTRY_TYPES = ['file', 'directory', 'symlink', 'other'] as const;

/** What a name in a directory stands for; a symbolic link for itself. */
export type EntryType = (typeof ENTRY_TYPES)[number];

export function entryTypeOf(facts: BigIntStats | Stats | Dirent): EntryType {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  return facts.isSymbolicLink() ? 'symlink' : 'other';
}
