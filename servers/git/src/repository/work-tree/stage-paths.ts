import { lstat } from 'node:fs/promises';

import { encodePath, encodePathList } from '../parse/path-bytes.ts';
import type { CommandOptions, Repository } from '../repository.ts';
import { toDiskPath } from './paths.ts';
import { hasRepository, readSubmoduleCommit } from './submodules.ts';

/**
 * Stages files as they are in the work tree, including deleted files. Staging a file in conflict resolves the conflict.
 *
 * The function does not use `git add`, which runs git inside submodules, whose configuration was not checked. The function also
 * reads the commit of a submodule without git, because a `.git` file may name any directory.
 *
 * @returns directories that were not staged, because their commit cannot be read inside the roots
 */
export async function stagePaths(
  repository: Repository,
  files: readonly string[],
  env: CommandOptions['env'] = {},
): Promise<readonly string[]> {
  const { replaced, submodules, others } = await classifyFiles(repository, files);
  await updateIndex(repository, ['--force-remove', '-z', '--stdin'], encodePathList(replaced), env);
  await updateIndex(repository, ['--add', '--remove', '--replace', '-z', '--stdin'], encodePathList(others), env);
  const left: string[] = [];
  const records: Buffer[] = [];
  for (const directory of submodules) {
    const oid = await readSubmoduleCommit(repository, directory);
    if (oid === undefined) left.push(directory);
    else records.push(Buffer.from(`160000 ${oid}\t`), encodePath(directory), Buffer.of(0));
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

interface ClassifiedFiles {
  /** Files that were replaced by a directory without a repository. */
  readonly replaced: readonly string[];
  /** Directories that contain a repository. */
  readonly submodules: readonly string[];
  readonly others: readonly string[];
}

async function classifyFiles(repository: Repository, files: readonly string[]): Promise<ClassifiedFiles> {
  const found = { replaced: [] as string[], submodules: [] as string[], others: [] as string[] };
  for (const file of files) {
    const facts = await lstat(toDiskPath(repository, file)).catch(() => undefined);
    if (facts?.isDirectory() !== true) found.others.push(file);
    else if (await hasRepository(repository, file)) found.submodules.push(file);
    else found.replaced.push(file);
  }
  return found;
}
