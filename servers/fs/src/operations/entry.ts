import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';

import { ENTRY_TYPES, type EntryType } from '../entry-type.ts';

/** One entry of a directory; a symbolic link is shown, not followed. */
export class Entry {
  @IsString()
  name!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;

  @Field('Bytes, of files')
  @IsOptional()
  @IsInt()
  size?: number;

  @Field('ISO 8601')
  @IsOptional()
  @IsString()
  mtime?: string;

  @Field('Of a link that leads inside')
  @IsOptional()
  @IsString()
  target?: string;
}
