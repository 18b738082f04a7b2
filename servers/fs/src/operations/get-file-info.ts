import { Field } from '@org/mcp-decorators';
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
  const { shown, facts } = await files.roots.existing(input.path);
  return {
    path: shown,
    type: entryTypeOf(facts),
    size: Number(facts.size),
    created: isoTime(Number(facts.birthtimeMs)),
    modified: isoTime(Number(facts.mtimeMs)),
    accessed: isoTime(Number(facts.atimeMs)),
    permissions: (Number(facts.mode) & 0o777).toString(8).padStart(3, '0'),
  };
}
