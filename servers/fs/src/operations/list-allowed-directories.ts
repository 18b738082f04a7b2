import { Field } from '@org/mcp-decorators';
import type { RootDirectory, RootMode } from '@org/mcp-roots';
import { IsBoolean, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';

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

  /** Effect of the client's roots. */
  @IsOptional()
  @IsString()
  note?: string;
}

export async function listAllowedDirectories({ roots }: Files): Promise<AllowedDirectories> {
  const { directories, narrowing } = roots;
  return { directories: await Promise.all(directories.map(describe)), ...(narrowing && { note: narrowing.text }) };
}

async function describe(root: RootDirectory): Promise<AllowedDirectory> {
  const { path, realPath, mode, from } = root;
  return { path, realPath, mode, available: (await root.state()) === 'available', from };
}
