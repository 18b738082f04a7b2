import { lstat } from 'node:fs/promises';

import { Field } from '@org/mcp-decorators';
import { refused } from '@org/mcp-roots';
import { IsIn, IsInt, IsString } from 'class-validator';

import { ENTRY_TYPES, entryTypeOf, type EntryType } from '../entry-type.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import type { PathInput } from './path-input.ts';

/** Metadata of a file or directory; of a symbolic link, that of what it leads to. */
export class FileInfo {
  @IsString()
  path!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;

  @Field('Bytes')
  @IsInt()
  size!: number;

  @Field('ISO 8601')
  @IsString()
  created!: string;

  @Field('ISO 8601')
  @IsString()
  modified!: string;

  @Field('ISO 8601')
  @IsString()
  accessed!: string;

  @Field('Octal, such as 644')
  @IsString()
  permissions!: string;
}

/** @throws ToolError those of `Roots.existing` */
export async function getFileInfo(files: Files, input: PathInput): Promise<FileInfo> {
  const target = await files.roots.existing(input.path);
  const facts = await lstat(target.real).catch((error: unknown) => Promise.reject(refused(input.path, error)));
  return {
    path: target.shown,
    type: entryTypeOf(facts),
    size: facts.size,
    created: isoTime(facts.birthtimeMs),
    modified: isoTime(facts.mtimeMs),
    accessed: isoTime(facts.atimeMs),
    permissions: (facts.mode & 0o777).toString(8).padStart(3, '0'),
  };
}
