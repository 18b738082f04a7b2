import { lstat } from 'node:fs/promises';

import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';
import { listParentDirectories } from '../parse/path-bytes.ts';
import type { Repository } from '../repository.ts';
import { toDiskPath } from './paths.ts';

/**
 * Finds the files that lie behind a link. Git accesses tracked files by name and does not notice that a directory on the path
 * became a link, for example to a directory outside the repository.
 */
export async function findFilesBehindLinks(repository: Repository, files: readonly string[]): Promise<ReadonlySet<string>> {
  const directories = new Set(files.flatMap(listParentDirectories));
  const links = new Set<string>();
  for (const directory of directories) if (await isLink(toDiskPath(repository, directory))) links.add(directory);
  return new Set(files.filter((file) => listParentDirectories(file).some((directory) => links.has(directory))));
}

/** @throws ToolError INVALID_PATH for a file behind a link, which git would delete, move or read */
export async function requireNoFilesBehindLinks(repository: Repository, files: readonly string[]): Promise<void> {
  const [file] = await findFilesBehindLinks(repository, files);
  if (file !== undefined) throw new ToolError('INVALID_PATH', `the path of ${quoteInput(file)} contains a symbolic link`);
}

function isLink(directory: Buffer): Promise<boolean> {
  return lstat(directory).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  );
}
