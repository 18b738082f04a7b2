import { Flag, ListOf, OneOf, Result, Text } from '@org/mcp-decorators';
import type { RootDirectory, RootMode } from '@org/mcp-roots';

import { visibleName } from '../../text/format.ts';
import type { Files } from '../files.ts';

const MODES = ['rw', 'ro'] as const;
const SOURCES = ['operator', 'client'] as const;

export class AllowedDirectory {
  @Text() path!: string;
  @Text() realPath!: string;
  @OneOf(MODES) mode!: RootMode;
  @Flag() available!: boolean;
  @OneOf(SOURCES) from!: 'operator' | 'client';
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

export function allowedDirectoriesResult(allowed: AllowedDirectories): Result {
  const lines = allowed.directories.map(({ path, mode, available }) => {
    const notes = [...(mode === 'ro' ? ['read-only'] : []), ...(available ? [] : ['not available'])];
    return visibleName(path) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
  });
  const list = lines.length === 0 ? ['No directory is allowed'] : ['Allowed directories:', ...lines];
  return Result.of(allowed, [...list, ...(allowed.note === undefined ? [] : [allowed.note])].join('\n'));
}
