import { Flag, ListOf, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { read } from '../database/read.ts';
import { adviceFor, type ScannedTable } from '../extra/index-advice.ts';
import { jsonStrings } from '../catalog/json-strings.ts';
import { parsePlan, stepsOf, textOf, type PlanNode } from '../plan/plan-node.ts';
import { WholeValues } from '../rows/whole-values.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';

export class AdviseIndexesInput extends DatabaseInput {
  @Text('The statement that is to be faster; it is planned, not run') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
}

export class ScanAdvice {
  @Text('That is read from end to end') table!: string;
  @Text('What the rows are filtered by', { optional: true }) condition?: string;
  @Text('The index that may help', { optional: true }) index_sql?: string;
  @Text('Why none would', { optional: true }) why_not?: string;
}

export class IndexAdvice {
  @ListOf(() => ScanAdvice, 'One of each table that the plan reads whole') scans!: ScanAdvice[];
  @Flag('There are more than a result has room for', { optional: true }) truncated?: boolean;
}

/** @throws ToolError those of `explain` */
export async function adviseIndexes(
  database: Database,
  input: AdviseIndexesInput,
  context: RequestContext,
): Promise<IndexAdvice> {
  const timeoutMs = database.timeoutFor(input);
  const page = new WholeValues();
  const { sql, params = [] } = input;
  const statement = { sql, before: 'EXPLAIN (FORMAT JSON, VERBOSE) ', params, timeoutMs, maxRows: 1, page };
  await withSuggestions(database, context, () => read(database, statement, context));
  const scans = stepsOf(parsePlan(page.first ?? '').root).filter(isWholeScan);
  if (scans.length === 0) return { scans: [] };
  return database.readOnly({ signal: context.signal, timeoutMs }, async ({ connection }) => {
    const found: ScanAdvice[] = [];
    for (const node of scans) found.push(await scanAdvice(connection, node));
    const shown = firstThatFit(found, database.limits.maxBytes);
    return { scans: shown, ...(shown.length < found.length && { truncated: true }) };
  });
}

type WholeScan = PlanNode & { readonly relation: string };

function isWholeScan(node: PlanNode): node is WholeScan {
  return node.step.endsWith('Seq Scan') && node.relation !== undefined;
}

async function scanAdvice(connection: Connection, node: WholeScan): Promise<ScanAdvice> {
  const [row] = await connection.rows(SCANNED, [node.relation, textOf(node.fields, 'Schema') ?? null]);
  const [table, rows, columns, indexed] = row ?? [];
  const seen = { table: table ?? node.relation, ...(node.condition !== undefined && { condition: node.condition }) };
  const scanned: ScannedTable = {
    node,
    rows: Number(rows),
    columns: jsonStrings(columns),
    indexed: new Set(jsonStrings(indexed)),
  };
  const advice = adviceFor(scanned);
  if ('why' in advice) return { ...seen, why_not: advice.why };
  const list = advice.columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
  return { ...seen, index_sql: `create index concurrently on ${seen.table} (${list})` };
}

const SCANNED = `
  select quote_ident(n.nspname) || '.' || quote_ident(c.relname), greatest(c.reltuples, 0)::bigint,
    (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select json_agg(distinct a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relname = $1 and n.nspname = $2`;
