import { lstat } from 'node:fs/promises';

import { ToolError } from '@org/mcp-decorators';

import { decodeNames } from '../parse/fields.ts';
import { listParentDirectories, formatPath } from '../parse/path-bytes.ts';
import type { Repository } from '../repository.ts';
import { toDiskPath } from './paths.ts';

/** Maximum number of paths in the message of an error. */
const MAX_NAMED = 20;

/**
 * Requires that no ignored file would be overwritten. When git integrates commits, it overwrites ignored files, although such a
 * file may be the only copy of a key.
 *
 * @param changes one line per change, with full object names: `oid`, or `oid base` to diff `oid` against `base` instead of its parent
 * @param isReversed whether the changes are reverted
 * @throws ToolError CONFLICT with the ignored files that would be overwritten
 */
export async function requireNoIgnoredFilesInTheWay(
  repository: Repository,
  changes: readonly string[],
  isReversed = false,
): Promise<void> {
  const flags = ['-r', '-m', '-z', '--root', '--name-only', '--no-renames', '--no-commit-id', '--diff-filter=A'];
  const command = ['diff-tree', ...flags, ...(isReversed ? ['-R'] : []), '--stdin'];
  const { stdout } = await repository.read(command, { input: changes.map((change) => `${change}\n`).join('') });
  const files = await findOccupants(repository, [...new Set(decodeNames(stdout))], ['--ignored', '--exclude-standard']);
  if (files.length === 0) return;
  throw new ToolError('CONFLICT', `ignored files would be overwritten: ${files.slice(0, MAX_NAMED).map(formatPath).join(', ')}`, {
    hint: 'move these files first',
    data: { files },
  });
}

/**
 * Finds untracked and ignored files that would be overwritten if the files of a commit were written to the work tree.
 *
 * @param source a full object name
 */
export async function findFilesInTheWay(
  repository: Repository,
  source: string,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  const flags = ['-z', '--name-only', '--diff-filter=D', '--no-renames', '--ignore-submodules=all'];
  const { stdout } = await repository.read(['diff-index', ...flags, source, '--', ...paths]);
  return findOccupants(repository, decodeNames(stdout));
}

/**
 * Finds untracked files at or below the path of a given file, or at the path of one of its parent directories.
 *
 * @param kinds further flags of `git ls-files`, such as `--ignored`
 */
async function findOccupants(
  repository: Repository,
  files: readonly string[],
  kinds: readonly string[] = [],
): Promise<readonly string[]> {
  const occupants = new Set<string>();
  for (const file of files) {
    const occupant = await findOccupant(repository, file);
    if (occupant !== undefined) occupants.add(occupant);
  }
  if (occupants.size === 0) return [];
  const others = await repository.read(['ls-files', '-z', '--others', ...kinds, '--', ...occupants]);
  return decodeNames(others.stdout);
}

/** Returns the first parent path of a file that exists but is no directory, or else the path of the file if it exists. */
async function findOccupant(repository: Repository, file: string): Promise<string | undefined> {
  for (const name of [...listParentDirectories(file), file]) {
    const facts = await lstat(toDiskPath(repository, name)).catch(() => undefined);
    if (facts === undefined) return undefined;
    if (!facts.isDirectory() || name === file) return name;
  }
  return undefined;
}
