import type { Dirent, Stats } from 'node:fs';

import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';

export const ENTRY_TYPES = ['file', 'directory', 'symlink', 'other'] as const;

export type EntryType = (typeof ENTRY_TYPES)[number];

/** One entry of a directory; a symbolic link is shown, not followed. */
export class Entry {
  @IsString()
  name!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;

  @Field('Bytes, of files only')
  @IsOptional()
  @IsInt()
  size?: number;

  @Field('Last modified, ISO 8601')
  @IsOptional()
  @IsString()
  modified?: string;
}

export function entryType(facts: Dirent | Stats): EntryType {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  return facts.isSymbolicLink() ? 'symlink' : 'other';
}
