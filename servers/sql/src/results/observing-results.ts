import { Result } from '@org/mcp-decorators';

import type { Activity } from '../operations/activity.ts';
import type { CancelInput, CancelOutcome } from '../operations/cancel.ts';
import type { CheckedHealth, Health } from '../operations/health.ts';
import type { TopQueries } from '../operations/top-queries.ts';
import { fenced } from '../rows/fenced.ts';
import type { Row } from '../rows/format.ts';
import { Page } from '../rows/page.ts';
import { oneLine } from '../rows/shown-value.ts';

export function activityResult(shown: Activity): Result {
  const { columns, rows, truncated, hidden } = shown;
  const notes = [
    ...(truncated ? [LONG] : []),
    ...(hidden === undefined
      ? []
      : [`${hidden} are of sessions that the role may not look into; members of pg_read_all_stats may`]),
  ];
  return Result.of(shown, [rows.length === 0 ? 'Nothing' : table(columns, rows), ...notes].join('\n'));
}

export function cancelResult(outcome: CancelOutcome, { pid, mode }: CancelInput): Result {
  const { signalled, state_after } = outcome;
  const done = mode === 'cancel' ? 'Cancelled the statement of' : 'Terminated';
  const text = signalled
    ? `${done} session ${pid}; it is ${state_after}`
    : `Session ${pid} is ${state_after}, and there is no statement to cancel; terminate ends the session`;
  return Result.of(outcome, text);
}

export function healthResult(health: Health): Result {
  const fine = health.checks.filter(({ status }) => status === 'ok');
  const lines = [
    ...SHOWN_FIRST.flatMap((status) => health.checks.filter((check) => check.status === status)).flatMap(healthLines),
    ...(fine.length === 0 ? [] : [`ok: ${fine.map(({ id, value, unit }) => `${id}${measured(value, unit)}`).join(', ')}`]),
  ];
  return Result.of(health, lines.join('\n'));
}

const LONG = '[There are more: query pg_stat_activity or pg_stat_statements for some of them, or raise limit.]';

const SHOWN_FIRST = ['critical', 'warn', 'unknown'] as const;

export function topQueriesResult(top: TopQueries): Result {
  const { available, reason, queries, truncated = false } = top;
  if (!available) return Result.of(top, `Not available: ${reason ?? ''}`);
  const rows = queries.map(({ id = null, calls, total_ms, mean_ms, rows: count, hit_percent, temp_blocks, query }) => [
    id,
    ...[calls, total_ms, mean_ms, count, hit_percent, temp_blocks].map((value) => (value === undefined ? null : String(value))),
    query,
  ]);
  if (rows.length === 0) return Result.of(top, 'Nothing was run yet');
  return Result.of(top, [table(TOP_COLUMNS, rows), ...(truncated ? [LONG] : [])].join('\n'));
}

const TOP_COLUMNS = ['id', 'calls', 'total_ms', 'mean_ms', 'rows', 'hit_percent', 'temp_blocks', 'query'];

/** Rows between fences: other sessions' statements are data. */
function table(columns: readonly string[], rows: readonly Row[]): string {
  const page = new Page({ maxRows: rows.length, maxBytes: Infinity, format: 'csv', keepRows: false });
  for (const row of rows) page.add(row);
  return fenced(page.text(columns), 'csv');
}

function healthLines({ id, status, value, threshold, unit, findings = [], fix_sql = [] }: CheckedHealth): readonly string[] {
  const limit = unit === 'problems' ? '' : `, a warning is at ${threshold} ${unit}`;
  return [
    `${status} ${id}${measured(value, unit)}${status === 'unknown' ? '' : limit}`,
    ...findings.map((finding) => `  ${oneLine(finding)}`),
    ...fix_sql.map((sql) => `  fix: ${oneLine(sql)};`),
  ];
}

function measured(value: number | undefined, unit: string): string {
  return value === undefined || value === 0 ? '' : ` ${value} ${unit}`;
}
