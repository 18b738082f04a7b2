import { ListOf, Integer, Result, Text, TextList, ToolError } from '@org/mcp-decorators';

import { writeHunkPatch, type SelectedHunk } from '../../repository/content/hunk-patch.ts';
import { readHunks, type Hunk, type HunkSource } from '../../repository/content/hunks.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { formatCount } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

const MAX_HUNKS = 1000;
const MAX_SELECTION = 4000;

/** Input of the tools that stage and unstage hunks. */
export class GitStageHunksInput extends RepositoryInput {
  @TextList('Ids from git_hunks; 1a2b3c4d5e:3-5,7 selects lines of a hunk by their numbers', {
    minItems: 1,
    maxItems: MAX_HUNKS,
    maxLength: MAX_SELECTION,
  })
  hunks!: string[];
}

export class ChangedHunks {
  @Text() path!: string;
  @Integer('Number of hunks') hunks!: number;
}

/** The files whose hunks were staged or unstaged. */
export class StagedHunks {
  @ListOf(() => ChangedHunks) files!: ChangedHunks[];
}

/** Text of the result, and the flag of `git apply`, by source of the hunks. */
const ACTIONS = { unstaged: { done: 'Staged', flags: [] }, staged: { done: 'Unstaged', flags: ['--reverse'] } } as const;

/**
 * Stages hunks of the work tree, or unstages hunks of the index: all of them, or none. The work tree does not change.
 *
 * @throws ToolError HUNK_CHANGED if an id names no current hunk; INVALID_ARGUMENTS, TOO_LARGE, NO_WORK_TREE, LOCKED
 */
export async function gitStageHunks(repository: Repository, { hunks }: GitStageHunksInput, source: HunkSource): Promise<Result> {
  requireWorkTree(repository);
  const wanted = hunks.map(parseSelection);
  const selected = await repository.withWriteLock(async () => {
    const found = selectHunks(await readHunks(repository, source, []), wanted);
    const input = Buffer.from(writeHunkPatch(found, source), 'latin1');
    const flags = ['--cached', '--whitespace=nowarn', '--no-ignore-whitespace', ...ACTIONS[source].flags];
    await repository.write(['apply', ...flags, '-'], { input });
    return found;
  });
  return formatChanged(selected, ACTIONS[source].done);
}

interface Selection {
  readonly id: string;
  readonly lines: ReadonlySet<number> | undefined;
}

const SELECTION = /^(?<id>[0-9a-f]{10})(?::(?<ranges>\d{1,6}(?:-\d{1,6})?(?:,\d{1,6}(?:-\d{1,6})?)*))?$/;
const MAX_LINES = 100_000;

/** @throws ToolError INVALID_ARGUMENTS */
function parseSelection(text: string): Selection {
  const { id, ranges } = SELECTION.exec(text.trim())?.groups ?? {};
  if (id === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(text)} is not an id of a hunk`, {
      hint: 'use an id from git_hunks, such as 1a2b3c4d5e, or an id with lines, such as 1a2b3c4d5e:3-5,7',
    });
  if (ranges === undefined) return { id, lines: undefined };
  return { id, lines: new Set(ranges.split(',').flatMap(parseRange)) };
}

/** @throws ToolError INVALID_ARGUMENTS */
function parseRange(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  if (first < 1 || last < first || last > MAX_LINES)
    throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(range)} is not a range of line numbers`);
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

function selectHunks(current: readonly Hunk[], wanted: readonly Selection[]): readonly SelectedHunk[] {
  const byId = new Map(current.map((hunk) => [hunk.id, hunk]));
  const missing = wanted.filter(({ id }) => !byId.has(id)).map(({ id }) => id);
  if (missing.length > 0)
    throw new ToolError('HUNK_CHANGED', `no current hunk has the id ${missing.join(', ')}; nothing was changed`, {
      hint: 'the file has changed, or the hunk is staged already: list the hunks again with git_hunks',
      data: { hunks: missing },
    });
  return [...new Set(wanted.map(({ id }) => id))].flatMap((id) => {
    const hunk = byId.get(id);
    return hunk === undefined ? [] : [{ hunk, lines: mergeLines(wanted.filter((each) => each.id === id)) }];
  });
}

/** Merges the selections of one hunk. A selection without lines selects the whole hunk. */
function mergeLines(selections: readonly Selection[]): ReadonlySet<number> | undefined {
  const sets = selections.map(({ lines }) => lines);
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((lines) => [...(lines ?? [])]));
}

function formatChanged(selected: readonly SelectedHunk[], done: string): Result {
  const paths = [...new Set(selected.map(({ hunk }) => hunk.path))];
  const files = paths.map((path) => ({ path, hunks: selected.filter(({ hunk }) => hunk.path === path).length }));
  const lines = files.map(({ path, hunks }) => `${done} ${formatCount(hunks, 'hunk')} of ${formatPath(path)}`);
  return Result.of({ files } satisfies StagedHunks, lines.join('\n'));
}
