import { Flag, ListOf, OneOf, Text } from '@org/mcp-decorators';
import type { RootDirectory, RootMode } from '@org/mcp-roots';

import type { Files } from '../files.ts';

const MODES = ['rw', 'ro'] as const;
const NAMED_BY = ['operator', 'client'] as const;

export class AllowedDirectory {
  @Text() path!: string;
  @Text('Links resolved') realPath!: string;
  @OneOf(MODES) mode!: RootMode;
  @Flag('Still there') available!: boolean;
  @OneOf(NAMED_BY) from!: 'operator' | 'client';
}

export class AllowedDirectories {
  @ListOf(() => AllowedDirectory) directories!: AllowedDirectory[];

  /** Effect of the client's roots. */
  @Text({ optional: true }) note?: string;
}

export async function listAllowedDirectories({ roots }: Files): Promise<AllowedDirectories> {
  const { directories, narrowing } = roots;
  return { directories: await Promise.all(directories.map(describe)), ...(narrowing && { note: narrowing.text }) };
}

async function describe(root: RootDirectory): Promise<AllowedDirectory> {
  const { path, realPath, mode, from } = root;
  return { path, realPath, mode, available: (await root.state()) === 'available', from };
}
