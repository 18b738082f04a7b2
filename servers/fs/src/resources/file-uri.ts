import { platform } from 'node:os';

import { Text } from '@org/mcp-decorators';

/** The variable of `file:///{+path}`, decoded. */
export class FileUri {
  @Text('Path of the file, without its leading slash') path!: string;
}

/** `srv/notes.txt` → `/srv/notes.txt`; on Windows a drive stands first, without a slash. */
export function absolutePathOf({ path }: FileUri): string {
  return platform() === 'win32' ? path : `/${path}`;
}
