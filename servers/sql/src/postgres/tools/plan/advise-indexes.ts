import { Flag, ListOf, Result, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { parseJsonStrings } from '../../catalog/json-strings.ts';
import type { Connection } from '../../database/connect/connection.ts';
import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { read } from '../../database/read.ts';
import { fenced } from '../../../rows/fenced.ts';
import { visible } from '../../../rows/shown-value.ts';
import { WholeValues } from '../../../rows/whole-values.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { withSuggestions } from '../../../tools/suggestions.ts';
import { listSteps, parsePlan, readText, type PlanNode } from './plan-node.ts';

export class AdviseIndexesInput extends DatabaseInput {
  @Text('Statement to speed up; it is planned, not run') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
}

export class ScanAdvice {
  @Text('Table read by a sequential scan') table!: string;
  @Text('Filter of the scan', { optional: true }) condition?: string;
  @Text('SQL that creates an index that may help', { optional: true }) index_sql?: string;
  @Text('Why no index would help', { optional: true }) why_not?: string;
}

export class IndexAdvice {
  @ListOf(() => ScanAdvice, 'One entry per sequential scan') scans!: ScanAdvice[];
  @Flag('More scans exist', { optional: true }) truncated?: boolean;
}

/** @throws ToolError errors of `explain` */
export async function adviseIndexes(database: Database, input: AdviseIndexesInput, context: RequestContext): Promise<Result> {
  const advice = await findAdvice(database, input, context);
  return Result.of(advice, formatAdvice(advice));
}

async function findAdvice(database: Database, input: AdviseIndexesInput, context: RequestContext): Promise<IndexAdvice> {
  const timeoutMs = timeoutFor(database, input);
  const page = new WholeValues();
  const { sql, params = [] } = input;
  const statement = { sql, before: 'EXPLAIN (FORMAT JSON, VERBOSE) ', params, timeoutMs, maxRows: 1, page };
  await withSuggestions(database, context, () => read(database, statement, context));
  const scans = listSteps(parsePlan(page.first ?? '').root).filter(isSequentialScan);
  if (scans.length === 0) return { scans: [] };
  return database.readOnly({ signal: context.signal, timeoutMs }, async ({ connection }) => {
    const found: ScanAdvice[] = [];
    for (const node of scans) found.push(await adviseScan(connection, node));
    const shown = takeFittingItems(found, database.limits.maxBytes);
    return { scans: shown, ...(shown.length < found.length && { truncated: true }) };
  });
}

type SequentialScan = PlanNode & { readonly relation: string };

function isSequentialScan(node: PlanNode): node is SequentialScan {
  return node.step.endsWith('Seq Scan') && node.relation !== undefined;
}

async function adviseScan(connection: Connection, node: SequentialScan): Promise<ScanAdvice> {
  const [row] = await connection.rows(SCANNED, [node.relation, readText(node.fields, 'Schema') ?? null]);
  const [table, rows, columns, indexed] = row ?? [];
  const seen = { table: table ?? node.relation, ...(node.condition !== undefined && { condition: node.condition }) };
  const scanned: ScannedTable = {
    node,
    rows: Number(rows),
    columns: parseJsonStrings(columns),
    indexed: new Set(parseJsonStrings(indexed)),
  };
  const advice = adviseIndex(scanned);
  if ('why' in advice) return { ...seen, why_not: advice.why };
  const list = advice.columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
  return { ...seen, index_sql: `create index concurrently on ${seen.table} (${list})` };
}

function formatAdvice({ scans, truncated }: IndexAdvice): string {
  if (scans.length === 0) return 'The plan has no sequential scan';
  const lines = scans.map(({ table, condition, index_sql, why_not = '' }) => {
    const filter = condition === undefined ? '' : ` by ${condition}`;
    return index_sql === undefined ? `${table}${filter}: no index, because ${why_not}` : `${table}${filter}: ${index_sql};`;
  });
  const more = truncated === true ? ['[More scans exist: pass a statement that reads fewer tables or partitions.]'] : [];
  return [fenced(visible(lines.join('\n')), ''), ...more].join('\n');
}

const SCANNED = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname), greatest(c.reltuples, 0)::bigint,
    (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select json_agg(distinct a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = $1 and n.nspname = $2`;

/** Minimum number of rows for advice. A sequential scan of a smaller table is fast enough. */
const SMALL_ROWS = 1000;
/** Maximum fraction of the rows for advice. If a statement reads more rows, a sequential scan is as fast as an index. */
const LARGE_PART = 0.2;

/** A sequential scan in a plan, and facts about the table that the scan reads. */
interface ScannedTable {
  readonly node: PlanNode;
  /** Number of all rows, as estimated by the planner. */
  readonly rows: number;
  readonly columns: readonly string[];
  /** Names of the columns with which existing indexes begin. */
  readonly indexed: ReadonlySet<string>;
}

/** The columns of an index that would help, or the reason why no index would help. */
type ColumnAdvice = { readonly columns: readonly string[] } | { readonly why: string };

/** Proposes an index for a table that is read by a sequential scan. */
function adviseIndex({ node, rows, columns, indexed }: ScannedTable): ColumnAdvice {
  const { condition = '' } = node;
  if (rows < SMALL_ROWS) return { why: `reading all ${rows} rows is faster than using an index` };
  if (condition === '') return { why: 'the statement reads all rows' };
  if (node.rows > LARGE_PART * rows) return { why: `the statement reads ${node.rows} of the ${rows} rows of the table` };
  const [first, ...others] = findIndexableColumns(condition, columns);
  if (first === undefined) return { why: `one index on plain columns cannot serve ${condition}` };
  if (indexed.has(first)) return { why: `the planner does not use an existing index that begins with ${first}` };
  return { columns: [first, ...others] };
}

/** Returns the bare columns of a condition: those compared with `=`, then one with a range. A condition with OR would need several indexes. */
export function findIndexableColumns(condition: string, columns: readonly string[]): readonly string[] {
  // Text between single quotes is a value.
  const bare = condition.replaceAll(/'(?:[^']|'')*'/g, "''");
  if (/\bOR\b/.test(bare)) return [];
  const compared = Array.from(bare.matchAll(COMPARISON), ([, cast, plain, operator = '']) => ({
    column: (cast ?? plain ?? '').replace(/^"(.*)"$/, (_, name: string) => name.replaceAll('""', '"')),
    isEqual: operator === '=',
  })).filter(({ column }) => columns.includes(column));
  const equal = compared.filter(({ isEqual }) => isEqual).map(({ column }) => column);
  const ranges = compared.filter(({ isEqual }) => !isEqual).map(({ column }) => column);
  return [...new Set([...equal, ...ranges.slice(0, 1)])];
}

// COMPARISON matches bare columns, as in `(orders.status)::text = …` or `orders.note = …`, but not `lower(orders.note) = …`.
const NAME = '(?:"(?:[^"]|"")+"|[\\p{L}_][\\p{L}\\p{N}_$]*)';
const COLUMN = `(?:${NAME}\\.)?(${NAME})`;
const COMPARISON = new RegExp(`(?<![\\p{L}\\p{N}_$".])(?:\\(${COLUMN}\\)::[a-z ]+|${COLUMN}) (=|<=|>=|<|>) `, 'gu');
