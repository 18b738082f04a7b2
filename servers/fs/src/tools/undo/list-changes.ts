import { Integer, Result, Text, ToolError, type ViewData } from '@org/mcp-decorators';

import { formatTime } from '../../journal/journal.ts';
import { listPaths, listShownPaths, type Change } from '../../journal/change.ts';
import { formatPaths } from '../changing/change-result.ts';
import type { Files } from '../files.ts';
import { continueWith, formatCount } from '../notes.ts';
import { ResultBudget } from '../result-budget.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
/** Maximum number of changes that one call examines, including the hidden changes of other callers. */
const MAX_EXAMINED = 1000;
/** Maximum number of listed paths of one change, because a change may have a thousand paths. */
const MAX_PATHS = 20;

export class ListChangesInput {
  @Integer('Default: 20', { optional: true, min: 1, max: MAX_LIMIT }) limit?: number;
  @Text('nextCursor of the previous page', { optional: true }) cursor?: string;
}

/** A change that can be undone. */
export interface ListedChange {
  readonly undoId: string;
  /** ISO 8601 */
  readonly time: string;
  readonly tool: string;
  readonly paths: readonly string[];
  /** Number of paths that are not listed; absent if all paths are listed. */
  readonly morePaths?: number;
}

/** A page of changes, the latest first. */
export interface ChangeList {
  readonly changes: readonly ListedChange[];
  readonly nextCursor?: string;
}

/** Lists the changes that the caller can undo. */
export async function listChanges(files: Files, { limit = DEFAULT_LIMIT, cursor }: ListChangesInput): Promise<ChangeList> {
  const changes: ListedChange[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  let last = '';
  let examined = 0;
  for await (const change of files.changes.journal.list(cursor)) {
    if (changes.length === limit || examined === MAX_EXAMINED) return { changes, nextCursor: last };
    const paths = listPaths(change.steps);
    if (await canAccess(files, paths)) {
      const listed = describeChange(change, listShownPaths(change.steps));
      if (!budget.take(listed)) return { changes, nextCursor: last };
      changes.push(listed);
    }
    last = change.id;
    examined += 1;
  }
  return { changes };
}

/** Returns whether the caller may know about a change of these paths. A path may no longer exist. */
export async function canAccess({ roots }: Files, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    try {
      const place = await roots.findEntryToMove(path);
      await place[Symbol.asyncDispose]();
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      if (HIDDEN.has(error.code)) return false;
    }
  }
  return true;
}

const HIDDEN: ReadonlySet<string> = new Set(['PATH_OUTSIDE_ROOTS', 'DENIED_BY_POLICY', 'ROOTS_REQUIRED', 'INVALID_PATH']);

function describeChange({ id, time, tool }: Change, paths: readonly string[]): ListedChange {
  const morePaths = paths.length - MAX_PATHS;
  return { undoId: id, time, tool, paths: paths.slice(0, MAX_PATHS), ...(morePaths > 0 && { morePaths }) };
}

/** A named moment, to which `rewind` can return. */
export interface ListedCheckpoint {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 */
  readonly time: string;
}

/** Lists the checkpoints for the view of the changes, the latest first. */
export async function listCheckpoints({ changes }: Files): Promise<readonly ListedCheckpoint[]> {
  return (await changes.checkpoints.list()).map(({ id, name }) => ({ id, name, time: formatTime(id) }));
}

export function changeListResult(list: ChangeList, forView: ViewData): Result {
  const lines = list.changes.map(
    ({ undoId, time, tool, paths, morePaths }) => `${undoId} ${time} ${tool} ${formatPaths(paths, morePaths)}`,
  );
  const shown = formatCount(lines.length, 'change is', 'changes are');
  if (list.nextCursor !== undefined) lines.push(`[${shown} shown; for earlier changes ${continueWith(list.nextCursor)}.]`);
  return Result.of(list, lines.length === 0 ? 'No change can be undone' : lines.join('\n'), { forView });
}
