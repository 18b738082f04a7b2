import { platform } from 'node:os';

import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

/** The variable of `file:///{+path}`, decoded. */
export class FileUri {
  @Field('Path of the file, without its leading slash')
  @IsString()
  path!: string;
}

/** `srv/notes.txt` → `/srv/notes.txt`; on Windows a drive stands first, without a slash. */
export function absolutePathOf({ path }: FileUri): string {
  return platform() === 'win32' ? path : `/${path}`;
}
