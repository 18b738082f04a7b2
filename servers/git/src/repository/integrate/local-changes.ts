import { ToolError } from '@org/mcp-decorators';

import { listChangedFiles } from '../content/diff-flags.ts';
import type { Repository } from '../repository.ts';
import { formatPaths } from './conflicts.ts';

/** @throws ToolError CONFLICT if tracked files differ from HEAD */
export async function requireNoLocalChanges(repository: Repository): Promise<void> {
  const files = await listChangedFiles(repository, 'HEAD');
  if (files.length === 0) return;
  throw new ToolError('CONFLICT', `the repository has local changes: ${formatPaths(files)}`, {
    hint: 'commit the changes first, or stash them with git_stash_push',
    data: { files },
  });
}
