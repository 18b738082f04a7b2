import { Flag, Integer, ToolError, visibleName } from '@org/mcp-decorators';

import { failureOf } from '../repository/failures.ts';
import { requireNoIgnoredInTheWay } from '../repository/ignored-in-the-way.ts';
import { decodeList } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { dropStash, requireStash } from '../repository/stashes.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitStashApplyInput extends RepositoryInput {
  @Integer('Which one; default: 0, the newest', { min: 0 }) stash = 0;
  @Flag('Stage again what was staged') index = false;
  @Flag('Drop it once it is applied') pop = false;
}

/** A stash that is in the work tree again. */
export interface AppliedStash {
  readonly oid: string;
  readonly message: string;
  readonly dropped: boolean;
}

/**
 * Applies a stash to the work tree; where that leads to conflicts, it is not dropped.
 *
 * @throws ToolError STASH_NOT_FOUND, CONFLICT, NO_WORK_TREE, LOCKED
 */
export async function gitStashApply(repository: Repository, { stash, index, pop }: GitStashApplyInput): Promise<AppliedStash> {
  requireWorkTree(repository);
  return repository.alone(async () => {
    const { oid, message } = await requireStash(repository, stash);
    await requireNoIgnoredInTheWay(repository, [`${oid} ${await resolveCommit(repository, `${oid}^1`)}`]);
    const command = ['stash', 'apply', '--quiet', ...(index ? ['--index'] : []), oid];
    const output = await repository.write(command, { codes: [0, 1, 128] });
    if (output.code !== 0) await requireNoConflicts(repository);
    if (/already exists, no checkout|could not restore untracked/.test(output.stderr))
      throw new ToolError('CONFLICT', 'untracked files of the stash are there already', { hint: 'move them out of the way' });
    if (output.code !== 0) throw failureOf('stash apply', output);
    const isThere = pop && (await requireStash(repository, stash)).oid === oid;
    if (isThere) await dropStash(repository, stash);
    return { oid, message, dropped: isThere };
  });
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
  const files = [...new Set(decodeList(stdout))].slice(0, 20);
  if (files.length === 0) return;
  throw new ToolError(
    'CONFLICT',
    `the stash is applied, with conflicts in ${files.map(visibleName).join(', ')}; it was not dropped`,
    {
      hint: 'resolve them, then git_add the files',
      data: { files },
    },
  );
}
