import { Field, Flag, Integer, OneOf, Result, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';

import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { fencedTable } from '../../../rows/fenced.ts';
import type { Row } from '../../../rows/format.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { MASKED_QUERY } from './statement-view.ts';
import { ACTIVITY_QUERIES, ACTIVITY_VIEWS, HIDDEN_QUERY, type ActivityViewName } from './activity-views.ts';

export class ActivityInput extends DatabaseInput {
  @OneOf(
    ACTIVITY_VIEWS,
    'blocking_tree: which session blocks which; progress: of VACUUM, ANALYZE, CREATE INDEX, CLUSTER, COPY and base backups',
  )
  view: ActivityViewName = 'sessions';

  @Integer('Maximum number of rows', { min: 1, max: 1000 }) limit = 100;
}

/** Rows about the current sessions of a database server, their locks, or the progress of their commands. */
export class Activity {
  @TextList() columns!: string[];

  @Field('Each row is an array of texts or nulls')
  @IsArray({ each: true })
  rows!: Row[];

  @Flag() truncated!: boolean;
  @Integer('Number of rows without details of their session', { optional: true }) hidden?: number;
}

/** @throws ToolError UNSUPPORTED_ENGINE, and errors of `Database.readOnly` */
export async function showActivity(database: Database, input: ActivityInput, context: RequestContext): Promise<Result> {
  const activity = await readActivity(database, input, context);
  return Result.of(activity, formatActivity(activity, input));
}

/** @throws ToolError UNSUPPORTED_ENGINE, and errors of `Database.readOnly` */
export async function readActivity(database: Database, input: ActivityInput, { signal }: RequestContext): Promise<Activity> {
  const { view, limit } = input;
  const capabilities = await database.capabilities();
  if (!capabilities.activity) throw unsupportedActivityError();
  const { columns, sql } = ACTIVITY_QUERIES[view];
  const timeoutMs = timeoutFor(database, input);
  const found = await database.readOnly({ signal, timeoutMs }, ({ connection }) =>
    connection.lastRows(sql(capabilities), [String(limit + 1)]),
  );
  const rows = database.policy.masks === undefined ? found : hideTexts(found, columns);
  const shown = takeFittingItems(rows.slice(0, limit), database.limits.maxBytes);
  const hidden = shown.filter((row) => row.at(-1) === HIDDEN_QUERY).length;
  return {
    columns: [...columns],
    rows: [...(view === 'blocking_tree' ? buildBlockingTree(shown) : shown)],
    truncated: found.length > shown.length,
    ...(hidden > 0 && { hidden }),
  };
}

/** Replaces texts of statements, which may contain values of masked columns. */
function hideTexts(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  return rows.map((row) =>
    row.map((value, place) => (columns[place] === 'query' && value !== HIDDEN_QUERY ? MASKED_QUERY : value)),
  );
}

/** Creates the error for a server whose `pg_stat_activity` lacks wait events. */
export function unsupportedActivityError(): ToolError {
  return new ToolError('UNSUPPORTED_ENGINE', 'this database server does not report the activity of its sessions', {
    hint: 'the tool requires pg_stat_activity with wait events',
    data: { retryable: false },
  });
}

function formatActivity({ columns, rows, truncated, hidden }: Activity, { view }: ActivityInput): string {
  const notes = [
    ...(truncated
      ? [
          '[More rows exist: raise limit. If the rows do not fit into the result, select them with query from the statistics views, such as pg_stat_activity or pg_locks.]',
        ]
      : []),
    ...(hidden === undefined
      ? []
      : [
          `Rows without details: ${hidden}. This role may not inspect the sessions of these rows; members of pg_read_all_stats may.`,
        ]),
  ];
  return [rows.length === 0 ? EMPTY[view] : fencedTable(columns, rows), ...notes].join('\n');
}

const EMPTY: Readonly<Record<ActivityViewName, string>> = {
  sessions: 'No other sessions are connected to this database server',
  locks: 'No other session holds or awaits a lock',
  blocking_tree: 'No session is blocked',
  progress: 'No command that reports progress is running',
};

/**
 * Orders sessions as trees: each blocked session follows a session that blocks it, one level deeper. Sets the first column to the
 * depth. Unblocked sessions have the depth 0. If a deadlock keeps sessions out of these trees, the first remaining session in
 * `sessions` starts a tree with the depth 0.
 */
export function buildBlockingTree(sessions: readonly Row[]): readonly Row[] {
  const left = new Set(sessions);
  const below = (row: Row, depth: number): readonly Row[] => {
    if (!left.delete(row)) return [];
    const waiting = sessions.filter((other) => readBlockers(other).includes(readPid(row)));
    return [[String(depth), ...row.slice(1)], ...waiting.flatMap((other) => below(other, depth + 1))];
  };
  const tops = sessions.filter((row) => readBlockers(row).length === 0);
  return [...tops, ...sessions].flatMap((row) => below(row, 0));
}

function readPid([, pid]: Row): string {
  return pid ?? '';
}

function readBlockers([, , blockers]: Row): readonly string[] {
  return (blockers ?? '').split(' ').filter((pid) => pid !== '');
}
