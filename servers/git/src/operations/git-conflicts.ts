import { Flag, Integer, ListOf, OneOf, Text, TextList } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { nextSteps, STEPS_RESOLVED, unmergedIn } from '../repository/joining.ts';
import { operationIn, OPERATIONS, type OperationKind } from '../repository/operation.ts';
import type { Unmerged } from '../repository/parse/unmerged.ts';
import { markedRanges } from '../repository/parse/markers.ts';
import { bytesOfPath } from '../repository/path-bytes.ts';
import type { Repository } from '../repository/repository.ts';
import { readBelow } from '../repository/state-file.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { gitUri } from '../text/git-uri.ts';
import { ListInput, requireWithin, skipOf } from './list-page.ts';

export class GitConflictsInput extends ListInput {}

/** By which of the stages 1, 2 and 3 there are. */
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
  @Text('Such as both modified, deleted by them') kind!: string;
  @ListOf(() => ConflictStage) stages!: ConflictStage[];
  @ListOf(() => MarkedRange, 'Lines of the work tree, from 1') markers!: MarkedRange[];
  @Flag({ optional: true }) binary?: boolean;
  @Flag({ optional: true }) submodule?: boolean;
}

/** What is to be resolved, and how to go on. */
export class ConflictList {
  @OneOf(OPERATIONS, { optional: true }) operation?: OperationKind;
  @ListOf(() => ConflictFile) files!: ConflictFile[];
  @Integer() total!: number;
  @TextList() next_steps!: string[];
  @Text({ optional: true }) next_cursor?: string;
}

/** As much of a file is looked through for markers. */
const MAX_BYTES = 1_048_576;
/** Files beyond these are listed without markers. */
const MAX_READ = 200;
const SUBMODULE = '160000';

/**
 * Files in conflict with their sides, at most `maxEntries` and `maxBytes` of them. In a rebase, ours is what the commits are put on.
 *
 * @throws ToolError NO_WORK_TREE, INVALID_ARGUMENTS
 */
export async function gitConflicts(repository: Repository, { cursor }: Partial<GitConflictsInput> = {}): Promise<ConflictList> {
  requireWorkTree(repository);
  const [operation, unmerged] = await Promise.all([operationIn(repository), unmergedIn(repository)]);
  const { maxEntries, maxBytes } = repository.limits;
  const skip = skipOf(cursor);
  requireWithin(skip, unmerged.length);
  const found: ConflictFile[] = [];
  for (const [position, file] of unmerged.slice(skip, skip + maxEntries).entries())
    found.push(await conflictFile(repository, file, position < MAX_READ));
  const files = firstThatFit(found, maxBytes);
  const end = skip + files.length;
  return {
    ...(operation !== undefined && { operation: operation.kind }),
    files,
    total: unmerged.length,
    ...(files.length > 0 && end < unmerged.length && { next_cursor: String(end) }),
    next_steps: unmerged.length > 0 ? nextSteps(operation).slice(1) : operation === undefined ? [] : [...STEPS_RESOLVED],
  };
}

async function conflictFile(repository: Repository, { path, stages }: Unmerged, isRead: boolean): Promise<ConflictFile> {
  const submodule = stages.some(({ mode }) => mode === SUBMODULE);
  const content = isRead && !submodule ? await readBelow(repository.ground.top, bytesOfPath(path), MAX_BYTES) : undefined;
  const binary = content?.includes(0) === true;
  return {
    path,
    kind: KINDS[stages.map(({ stage }) => stage).join('')] ?? 'both modified',
    stages: stages.map((stage) => ({ ...stage, uri: gitUri(repository.id, 'conflict', String(stage.stage), path) })),
    markers: content === undefined || binary ? [] : [...markedRanges(content.toString('utf8'))],
    ...(binary && { binary }),
    ...(submodule && { submodule }),
  };
}
