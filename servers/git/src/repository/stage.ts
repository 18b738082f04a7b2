import { lstat } from 'node:fs/promises';

import { bytesOfPath, pathList } from './path-bytes.ts';
import { onDisk } from './paths.ts';
import type { CommandOptions, Repository } from './repository.ts';
import { hasRepository, submoduleCommit } from './submodule-commit.ts';

/**
 * Stages files as they are in the work tree, including deleted ones. Staging a file in conflict resolves the conflict.
 *
 * The function does not use `git add`, which runs git inside a submodule whose configuration was not checked. It also reads the
 * commit of a submodule without git, because a `.git` file may name any directory.
 *
 * @returns directories that were not staged, because their commit cannot be read inside the roots
 */
export async function stage(
  repository: Repository,
  files: readonly string[],
  env: CommandOptions['env'] = {},
): Promise<readonly string[]> {
  const { replaced, submodules, others } = await sorted(repository, files);
  await updateIndex(repository, ['--force-remove', '-z', '--stdin'], pathList(replaced), env);
  await updateIndex(repository, ['--add', '--remove', '--replace', '-z', '--stdin'], pathList(others), env);
  const left: string[] = [];
  const records: Buffer[] = [];
  for (const directory of submodules) {
    const oid = await submoduleCommit(repository, directory);
    if (oid === undefined) left.push(directory);
    else records.push(Buffer.from(`160000 ${oid}\t`), bytesOfPath(directory), Buffer.of(0));
  }
  await updateIndex(repository, ['--add', '--replace', '-z', '--index-info'], Buffer.concat(records), env);
  return left;
}

async function updateIndex(
  repository: Repository,
  flags: readonly string[],
  input: Buffer,
  env: NonNullable<CommandOptions['env']>,
): Promise<void> {
  if (input.length > 0) await repository.write(['update-index', ...flags], { input, env });
}

interface Sorted {
  /** Files that were replaced by a directory without a repository. */
  readonly replaced: readonly string[];
  /** Directories that contain a repository. */
  readonly submodules: readonly string[];
  readonly others: readonly string[];
}

async function sorted(repository: Repository, files: readonly string[]): Promise<Sorted> {
  const found = { replaced: [] as string[], submodules: [] as string[], others: [] as string[] };
  for (const file of files) {
    const facts = await lstat(onDisk(repository, file)).catch(() => undefined);
    if (facts?.isDirectory() !== true) found.others.push(file);
    else if (await hasRepository(repository, file)) found.submodules.push(file);
    else found.replaced.push(file);
  }
  return found;
}
