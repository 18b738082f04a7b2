import { Flag, Integer, Result, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { decodeNames } from '../../repository/parse/fields.ts';
import { explainGitFailure } from '../../repository/process/failures.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import { dropStash, findStashOid, requireStash, type ListedStash } from '../../repository/refs/stashes.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { shortOid } from '../../text/format.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitStashApplyInput extends RepositoryInput {
  @Integer('Default: 0, the newest', { min: 0 }) stash = 0;
  @Flag('Also restore the index') index = false;
  @Flag('Drop the stash after it is applied') pop = false;
}

/** An applied stash. */
export interface AppliedStash {
  readonly oid: string;
  readonly message: string;
  readonly dropped: boolean;
}

/**
 * Applies a stash to the work tree. A stash that causes conflicts is not dropped.
 *
 * @throws ToolError STASH_NOT_FOUND, CONFLICT, NO_WORK_TREE, LOCKED
 */
export async function gitStashApply(repository: Repository, { stash, index, pop }: GitStashApplyInput): Promise<Result> {
  requireWorkTree(repository);
  const outcome = await repository.withWriteLock(async () => {
    const { oid, message } = await requireApplicable(repository, stash);
    const command = ['stash', 'apply', '--quiet', ...(index ? ['--index'] : []), oid];
    const output = await repository.write(command, { codes: [0, 1, 128] });
    if (output.code !== 0) await requireNoConflicts(repository);
    if (/already exists, no checkout|could not restore untracked/.test(output.stderr))
      throw new ToolError('CONFLICT', 'untracked files of the stash already exist', { hint: 'move or delete these files first' });
    if (output.code !== 0) throw explainGitFailure('stash apply', output);
    const isThere = pop && (await findStashOid(repository, stash)) === oid;
    if (isThere) await dropStash(repository, stash);
    return { oid, message, dropped: isThere };
  });
  return formatApplied(outcome);
}

/** @throws ToolError STASH_NOT_FOUND, CONFLICT */
async function requireApplicable(repository: Repository, position: number): Promise<ListedStash> {
  const oid = await findStashOid(repository, position);
  const [listed] = await Promise.all([
    requireStash(repository, position),
    oid === undefined ? undefined : requireNothingInTheWay(repository, oid),
  ]);
  if (listed.oid !== oid) await requireNothingInTheWay(repository, listed.oid);
  return listed;
}

async function requireNothingInTheWay(repository: Repository, oid: string): Promise<void> {
  await requireNoIgnoredFilesInTheWay(repository, [`${oid} ${await resolveCommit(repository, `${oid}^1`)}`]);
}

async function requireNoConflicts(repository: Repository): Promise<void> {
  const { stdout } = await repository.read([
    'diff',
    '--no-ext-diff',
    '--name-only',
    '--diff-filter=U',
    '-z',
    '--ignore-submodules=all',
  ]);
  const files = [...new Set(decodeNames(stdout))].slice(0, 20);
  if (files.length === 0) return;
  throw new ToolError(
    'CONFLICT',
    `the stash was applied with conflicts in ${files.map(formatPath).join(', ')}; the stash was not dropped`,
    {
      hint: 'resolve the conflicts, then stage the files with git_add',
      data: { files },
    },
  );
}

function formatApplied(applied: AppliedStash): Result {
  const { oid, message, dropped } = applied;
  return Result.of(applied, `Applied ${shortOid(oid)}${dropped ? ' and dropped it' : ''}: ${escapeInvisible(message)}`);
}
