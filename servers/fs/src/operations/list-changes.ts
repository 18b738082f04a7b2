import { Integer, Text } from '@org/mcp-decorators';

import { ResultBudget } from '../budget.ts';
import type { Files } from '../files.ts';
import { pathsIn, type Change } from '../journal/change.ts';
import { mayTouch } from './may-touch.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;
/** Changes that are looked at for one answer: those of others are not told of. */
const MOST_LOOKED_AT = 1000;
/** Of one change; there may be a thousand. */
const MOST_PATHS = 20;

export class ListChangesInput {
  @Integer('Default: 20', { optional: true, min: 1, max: MAX_LIMIT }) limit?: number;
  @Text('nextCursor of the previous page', { optional: true }) cursor?: string;
}

/** A change that can be undone. */
export interface ListedChange {
  readonly undoId: string;
  /** ISO 8601. */
  readonly time: string;
  readonly tool: string;
  readonly paths: readonly string[];
  /** Paths that are not listed. */
  readonly morePaths?: number;
}

/** A page of them, the latest first. */
export interface ChangeList {
  readonly changes: readonly ListedChange[];
  readonly nextCursor?: string;
}

/** Lists what can be undone of what this call may touch. */
export async function listChanges(files: Files, { limit = DEFAULT_LIMIT, cursor }: ListChangesInput): Promise<ChangeList> {
  const changes: ListedChange[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  let last = '';
  let looked = 0;
  for await (const change of files.changes.journal.list(cursor)) {
    if (changes.length === limit || looked === MOST_LOOKED_AT) return { changes, nextCursor: last };
    const paths = pathsIn(change.steps);
    if (await mayTouch(files, paths)) {
      const listed = listedAs(change, paths);
      if (!budget.take(listed)) return { changes, nextCursor: last };
      changes.push(listed);
    }
    last = change.id;
    looked += 1;
  }
  return { changes };
}

function listedAs({ id, time, tool }: Change, paths: readonly string[]): ListedChange {
  const morePaths = paths.length - MOST_PATHS;
  return { undoId: id, time, tool, paths: paths.slice(0, MOST_PATHS), ...(morePaths > 0 && { morePaths }) };
}
