import { Flag, Integer, ListOf, Result, Text, TextList, type ViewData } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { readFileBelow } from '../../repository/guard/state-file.ts';
import { listNextSteps, listUnmerged, STEPS_RESOLVED } from '../../repository/integrate/conflicts.ts';
import { readOperation } from '../../repository/integrate/operation.ts';
import { findMarkedRanges } from '../../repository/parse/markers.ts';
import { encodePath, formatPath } from '../../repository/parse/path-bytes.ts';
import type { UnmergedFile } from '../../repository/parse/unmerged.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { ListInput, parseSkip, requireWithin } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

export class GitConflictsInput extends ListInput {}

/** Kinds of conflicts by the stages that exist: 1 (common ancestor), 2 (ours), 3 (theirs). */
const KINDS: Readonly<Record<string, string>> = {
  '123': 'both modified',
  '23': 'both added',
  '12': 'deleted by them',
  '13': 'deleted by us',
  '1': 'both deleted',
  '2': 'added by us',
  '3': 'added by them',
};

export class ConflictStage {
  @Integer('1: common ancestor, 2: ours, 3: theirs') stage!: number;
  @Text() oid!: string;
  @Text() mode!: string;
  @Text() uri!: string;
}

export class MarkedRange {
  @Integer() start_line!: number;
  @Integer() end_line!: number;
}

export class ConflictFile {
  @Text() path!: string;
  @Text('Such as "both modified"') kind!: string;
  @ListOf(() => ConflictStage) stages!: ConflictStage[];
  @ListOf(() => MarkedRange, 'Lines of each conflict, from 1') markers!: MarkedRange[];
  @Flag({ optional: true }) binary?: boolean;
  @Flag({ optional: true }) submodule?: boolean;
}

/** The files to resolve, and the next steps. */
export class ConflictList {
  @Text({ optional: true }) operation?: string;
  @ListOf(() => ConflictFile) files!: ConflictFile[];
  @Integer() total!: number;
  @TextList() next_steps!: string[];
  @Text({ optional: true }) next_cursor?: string;
}

/** A file with conflict markers for the view of the conflicts. */
export interface ViewedConflict {
  readonly path: string;
  readonly text: string;
}

/** Maximum number of bytes of all texts for the view. */
const MAX_VIEWED_BYTES = 2_097_152;
/** Maximum number of bytes of a file that are searched for markers. */
const MAX_BYTES = 1_048_576;
/** Maximum number of files that are searched for markers. */
const MAX_READ = 200;
const SUBMODULE = '160000';

/**
 * Lists files in conflict, at most `maxEntries` files and `maxBytes` bytes. Each file has the ids and URIs of its versions
 * (ancestor, ours, theirs) and the lines of its conflict markers. In a rebase, `ours` is the new base.
 *
 * @throws ToolError NO_WORK_TREE, INVALID_ARGUMENTS
 */
export async function gitConflicts(repository: Repository, { cursor }: Partial<GitConflictsInput> = {}): Promise<Result> {
  requireWorkTree(repository);
  const [operation, unmerged] = await Promise.all([readOperation(repository), listUnmerged(repository)]);
  const { maxEntries, maxBytes } = repository.limits;
  const skip = parseSkip(cursor);
  requireWithin(skip, unmerged.length);
  const found: ConflictFile[] = [];
  for (const [position, file] of unmerged.slice(skip, skip + maxEntries).entries())
    found.push(await readConflictFile(repository, file, position < MAX_READ));
  const files = takeFittingItems(found, maxBytes);
  const end = skip + files.length;
  const list = {
    ...(operation !== undefined && { operation: operation.kind }),
    files,
    total: unmerged.length,
    ...(files.length > 0 && end < unmerged.length && { next_cursor: String(end) }),
    next_steps: unmerged.length > 0 ? listNextSteps(operation).slice(1) : operation === undefined ? [] : [...STEPS_RESOLVED],
  };
  return formatConflicts(list, async () => ({ texts: await readTexts(repository, files) }));
}

/** Reads the files with conflict markers, up to a total of `MAX_VIEWED_BYTES`. A file that does not fit is omitted. */
async function readTexts(repository: Repository, files: readonly ConflictFile[]): Promise<readonly ViewedConflict[]> {
  const texts: ViewedConflict[] = [];
  let left = MAX_VIEWED_BYTES;
  for (const { path, markers } of files) {
    if (markers.length === 0) continue;
    const content = await readFileBelow(repository.layout.top, encodePath(path), left + 1);
    if (content === undefined || content.length > left) continue;
    left -= content.length;
    texts.push({ path, text: content.toString('utf8') });
  }
  return texts;
}

async function readConflictFile(repository: Repository, { path, stages }: UnmergedFile, isRead: boolean): Promise<ConflictFile> {
  const submodule = stages.some(({ mode }) => mode === SUBMODULE);
  const content = isRead && !submodule ? await readFileBelow(repository.layout.top, encodePath(path), MAX_BYTES) : undefined;
  const binary = content?.includes(0) === true;
  return {
    path,
    kind: KINDS[stages.map(({ stage }) => stage).join('')] ?? 'both modified',
    stages: stages.map((stage) => ({ ...stage, uri: formatGitUri(repository.id, 'conflict', String(stage.stage), path) })),
    markers: content === undefined || binary ? [] : [...findMarkedRanges(content.toString('utf8'))],
    ...(binary && { binary }),
    ...(submodule && { submodule }),
  };
}

function formatConflicts(list: ConflictList, forView: ViewData): Result {
  const { operation, files, total, next_steps } = list;
  const lines = [
    ...(operation === undefined ? [] : [`In progress: ${operation}`]),
    ...files.map(formatConflict),
    ...(total === 0 ? ['No conflicts'] : []),
    ...(list.next_cursor !== undefined ? [formatRest(list, files.length, 'files')] : []),
    ...(next_steps.length === 0 ? [] : [`Next: ${next_steps.join('; ')}`]),
  ];
  return Result.of(list, lines.join('\n'), { forView });
}

function formatConflict({ path, kind, markers, binary, submodule }: ConflictFile): string {
  const notes = [
    ...(binary === true ? ['binary'] : []),
    ...(submodule === true ? ['submodule'] : []),
    ...(markers.length === 0
      ? []
      : [`conflict markers in lines ${markers.map(({ start_line, end_line }) => `${start_line}-${end_line}`).join(', ')}`]),
  ];
  return `${kind}: ${formatPath(path)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
