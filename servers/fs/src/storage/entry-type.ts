import type { BigIntStats, Dirent, Stats } from 'node:fs';

export const ENTRY_TYPES = ['file', 'directory', 'symlink', 'other'] as const;

/** The type of a directory entry; a symbolic link is not followed. */
export type EntryType = (typeof ENTRY_TYPES)[number];

export function toEntryType(facts: BigIntStats | Stats | Dirent): EntryType {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  return facts.isSymbolicLink() ? 'symlink' : 'other';
}
