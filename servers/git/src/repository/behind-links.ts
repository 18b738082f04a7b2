import { lstat } from 'node:fs/promises';

import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import { directoriesAbove } from './path-bytes.ts';
import { onDisk } from './paths.ts';
import type { Repository } from './repository.ts';

/**
 * Those of some files that lie behind a link: git looks into what it tracks by name, and does not notice a directory in between
 * that became a link, out of the repository or into the git directory.
 */
export async function behindLinks(repository: Repository, files: readonly string[]): Promise<ReadonlySet<string>> {
  const directories = new Set(files.flatMap(directoriesAbove));
  const links = new Set<string>();
  for (const directory of directories) if (await isLink(onDisk(repository, directory))) links.add(directory);
  return new Set(files.filter((file) => directoriesAbove(file).some((directory) => links.has(directory))));
}

/** @throws ToolError INVALID_PATH: git would delete, move or read what is there instead, wherever that is */
export async function requireNoneBehindLinks(repository: Repository, files: readonly string[]): Promise<void> {
  const [file] = await behindLinks(repository, files);
  if (file !== undefined) throw new ToolError('INVALID_PATH', `${quoted(file)} is behind a link`);
}

function isLink(directory: Buffer): Promise<boolean> {
  return lstat(directory).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  );
}
