import { ListOf, Result } from '@org/mcp-decorators';

import { writeHunkPatch } from '../../repository/content/hunk-patch.ts';
import { readHunks, type HunkSource } from '../../repository/content/hunks.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { ChangedHunks, countHunks, formatHunkCounts, HunkIds, parseSelections, selectHunks } from './selected-hunks.ts';

/** Input of the tools that stage and unstage hunks. */
export class GitStageHunksInput extends RepositoryInput {
  @HunkIds() hunks!: string[];
}

/** The files whose hunks were staged or unstaged. */
export class StagedHunks {
  @ListOf(() => ChangedHunks) files!: ChangedHunks[];
}

/** Text of the result, and how the patch is applied to the index, by source of the hunks. */
const ACTIONS = {
  unstaged: { done: 'Staged', direction: 'forward', flags: [] },
  staged: { done: 'Unstaged', direction: 'reverse', flags: ['--reverse'] },
} as const;

/**
 * Stages hunks of the work tree, or unstages hunks of the index: all of them, or none. The work tree does not change.
 *
 * @throws ToolError HUNK_CHANGED if an id names no current hunk; INVALID_ARGUMENTS, TOO_LARGE, NO_WORK_TREE, LOCKED
 */
export async function gitStageHunks(repository: Repository, { hunks }: GitStageHunksInput, source: HunkSource): Promise<Result> {
  requireWorkTree(repository);
  const wanted = parseSelections(hunks);
  const { done, direction, flags } = ACTIONS[source];
  const selected = await repository.withWriteLock(async () => {
    const found = selectHunks(await readHunks(repository, source, []), wanted);
    const input = Buffer.from(writeHunkPatch(found, direction), 'latin1');
    await repository.write(['apply', '--cached', '--whitespace=nowarn', '--no-ignore-whitespace', ...flags, '-'], { input });
    return found;
  });
  const files = countHunks(selected);
  return Result.of({ files } satisfies StagedHunks, formatHunkCounts(files, done));
}
