import { Field } from '@org/mcp-decorators';
import type { RootDirectory, RootMode } from '@org/mcp-roots';
import { IsBoolean, IsIn, IsString, ValidateNested } from 'class-validator';

import type { Files } from '../files.ts';

const MODES = ['rw', 'ro'] as const;
const NAMED_BY = ['operator', 'client'] as const;

export class AllowedDirectory {
  @IsString()
  path!: string;

  @Field('Links resolved')
  @IsString()
  realPath!: string;

  @IsIn([...MODES])
  mode!: RootMode;

  @Field('Still there')
  @IsBoolean()
  available!: boolean;

  @IsIn([...NAMED_BY])
  from!: 'operator' | 'client';
}

export class AllowedDirectories {
  @Field({ type: () => AllowedDirectory })
  @ValidateNested({ each: true })
  directories!: AllowedDirectory[];
}

export async function listAllowedDirectories({ roots }: Files): Promise<AllowedDirectories> {
  return { directories: await Promise.all(roots.directories.map(describe)) };
}

async function describe(root: RootDirectory): Promise<AllowedDirectory> {
  const { path, realPath, mode, from } = root;
  return { path, realPath, mode, available: (await root.state()) === 'available', from };
}
