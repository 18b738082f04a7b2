import { Field, Flag, Integer, ListOf, OneOf, Result, Text, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { fencedTable } from '../../../rows/fenced.ts';
import type { Row } from '../../../rows/format.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { MASKED_QUERY, readStatementView } from './statement-view.ts';

const ORDERS = ['total_time', 'mean_time', 'calls', 'rows', 'reads', 'temp', 'wal'] as const;

type Order = (typeof ORDERS)[number];

/** Sort keys: columns of `pg_stat_statements`, or expressions over several of its columns. */
const ORDER_SQL: Readonly<Record<Order, string>> = {
  total_time: 's.total_exec_time',
  mean_time: 's.mean_exec_time',
  calls: 's.calls',
  rows: 's.rows',
  reads: 's.shared_blks_read + s.local_blks_read',
  temp: 's.temp_blks_read + s.temp_blks_written',
  wal: 's.wal_bytes',
};

export class TopQueriesInput extends DatabaseInput {
  @OneOf(ORDERS, 'Sort key, highest first') order: Order = 'total_time';
  @Integer('Maximum number of queries', { min: 1, max: 100 }) limit = 10;
}

/** A statement, and the statistics of all its runs. Statements that differ only in constants are counted as one statement. */
export class TopQuery {
  @Text('Absent if the role may not see the statement', { optional: true }) id?: string;
  @Integer() calls!: number;

  @IsNumber()
  total_ms!: number;

  @IsNumber()
  mean_ms!: number;

  @Integer() rows!: number;

  @Field('Share of blocks found in shared buffers')
  @IsOptional()
  @IsNumber()
  hit_percent?: number;

  @Integer('Blocks of temporary files read and written') temp_blocks!: number;
  @Text('Constants are $1, $2 and so on; cut to 1,000 characters') query!: string;
}

export class TopQueries {
  @Flag('pg_stat_statements is installed and loaded') available!: boolean;
  @Text({ optional: true }) reason?: string;
  @ListOf(() => TopQuery) queries!: TopQuery[];
  @Flag({ optional: true }) truncated?: boolean;
}

/** @throws ToolError errors of `Database.readOnly` */
export async function listTopQueries(database: Database, input: TopQueriesInput, context: RequestContext): Promise<Result> {
  const top = await readTopQueries(database, input, context);
  return Result.of(top, formatTopQueries(top));
}

async function readTopQueries(database: Database, input: TopQueriesInput, { signal }: RequestContext): Promise<TopQueries> {
  const options = { signal, timeoutMs: timeoutFor(database, input) };
  const build = (view: string): string => buildQuery(view, ORDER_SQL[input.order]);
  const rows = await readStatementView(database, options, { build, params: [String(input.limit)] });
  if (typeof rows === 'string') return { available: false, reason: rows, queries: [] };
  const hide = database.policy.masks === undefined ? (text: string) => text : hideConstants;
  const queries = takeFittingItems(
    rows.map((row) => parseTopQuery(row, hide)),
    database.limits.maxBytes,
  );
  return { available: true, queries: [...queries], ...(queries.length < rows.length && { truncated: true }) };
}

function parseTopQuery([id, calls, total, mean, rows, hits, temp, query]: Row, hide: (text: string) => string): TopQuery {
  return {
    ...(typeof id === 'string' && { id }),
    calls: Number(calls),
    total_ms: Number(total),
    mean_ms: Number(mean),
    rows: Number(rows),
    ...(typeof hits === 'string' && { hit_percent: Number(hits) }),
    temp_blocks: Number(temp),
    query: hide(query ?? ''),
  };
}

/**
 * Replaces a statement by `MASKED_QUERY`, unless it begins with SELECT or another statement that the planner plans.
 * pg_stat_statements may keep the constants of any other statement.
 */
function hideConstants(text: string): string {
  return PLANNED.test(text) ? text : MASKED_QUERY;
}

const PLANNED = /^[ \t\n(]*(?:select|insert|update|delete|merge|with|values)\b/i;

function buildQuery(view: string, order: string): string {
  return `
    select s.queryid, s.calls, round(s.total_exec_time::numeric, 2), round(s.mean_exec_time::numeric, 2), s.rows,
      round(100.0 * s.shared_blks_hit / nullif(s.shared_blks_hit + s.shared_blks_read, 0), 1),
      s.temp_blks_read + s.temp_blks_written, left(s.query, 1000)
    from ${view} s
    where s.dbid = (select oid from pg_database where datname = current_database())
    order by ${order} desc, s.queryid
    limit $1::int`;
}

const COLUMNS = ['id', 'calls', 'total_ms', 'mean_ms', 'rows', 'hit_percent', 'temp_blocks', 'query'];

function formatTopQueries({ available, reason = '', queries, truncated = false }: TopQueries): string {
  if (!available) return `Not available: ${reason}`;
  if (queries.length === 0) return 'pg_stat_statements has not recorded any statements of this database yet';
  const rows = queries.map(({ id = null, calls, total_ms, mean_ms, rows: count, hit_percent, temp_blocks, query }) => [
    id,
    ...[calls, total_ms, mean_ms, count, hit_percent, temp_blocks].map((value) => (value === undefined ? null : String(value))),
    query,
  ]);
  const note = truncated
    ? ['[Not all requested statements fit into the result: select the others from pg_stat_statements with query.]']
    : [];
  return [fencedTable(COLUMNS, rows), ...note].join('\n');
}
