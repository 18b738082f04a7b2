import { Field } from '@org/mcp-decorators';
import { IsString, ValidateNested } from 'class-validator';

import type { Files } from '../files.ts';

export class AllowedDirectory {
  @IsString()
  path!: string;

  @Field('With every symbolic link resolved')
  @IsString()
  realPath!: string;
}

export class AllowedDirectories {
  @Field('What paths may lie in', { type: () => AllowedDirectory })
  @ValidateNested({ each: true })
  directories!: AllowedDirectory[];
}

export function listAllowedDirectories({ roots }: Files): AllowedDirectories {
  return { directories: roots.directories.map(({ path, realPath }) => ({ path, realPath })) };
}
