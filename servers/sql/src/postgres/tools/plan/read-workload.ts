import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../../database/database.ts';
import type { PlannedStatement } from '../../indexes/advise-statements.ts';
import { readStatementView } from '../monitor/statement-view.ts';
import { planStatement } from './plan-statement.ts';

/** A statement of pg_stat_statements, with its generic plan. */
export interface WorkloadStatement {
  readonly id: string;
  readonly calls: number;
  readonly totalMs: number;
  readonly planned: PlannedStatement;
}

export interface Workload {
  readonly statements: readonly WorkloadStatement[];
  /** Reasons why statements are not considered. */
  readonly notes: readonly string[];
}

/**
 * Reads the statements with the largest total time, and plans them for any values of their parameters. Statements that read only
 * system catalogs, or are longer than 20,000 bytes, are omitted. A statement that cannot be planned gets a note.
 *
 * @throws ToolError UNSUPPORTED_ENGINE without pg_stat_statements, and errors of `Database.readOnly`
 */
export async function readWorkload(
  database: Database,
  count: number,
  { timeoutMs, context }: { readonly timeoutMs: number; readonly context: RequestContext },
): Promise<Workload> {
  const { signal } = context;
  const rows = await readStatementView(database, { signal, timeoutMs }, { build: buildQuery, params: [String(count)] });
  if (typeof rows === 'string')
    throw new ToolError('UNSUPPORTED_ENGINE', rows, { hint: 'pass sql to get advice for one statement' });
  const statements: WorkloadStatement[] = [];
  const notes: string[] = [];
  for (const [place, row] of rows.entries()) {
    context.progress(place, rows.length, 'planning the statements');
    const [id, calls, total, sql] = row.map((value) => value ?? '') as readonly string[];
    try {
      const statement = { sql: toParsable(sql ?? ''), params: [], generic: true };
      const planned = await planStatement(database, statement, { timeoutMs, context });
      if (planned.relations.some(({ schema }) => !CATALOGS.has(schema)))
        statements.push({ id: id ?? '', calls: Number(calls), totalMs: Number(total), planned });
    } catch (error) {
      signal.throwIfAborted();
      // pg_stat_statements also writes parameters where PostgreSQL accepts only constants, such as `extract($1 from at)`. Such a
      // statement cannot be planned and gets a note.
      if (!ToolError.is(error) || error.code === 'CONNECTION') throw error;
      notes.push(`statement ${id} is not considered: ${error.message}`);
    }
  }
  return { statements, notes };
}

/**
 * Replaces a type before a parameter by a cast, such as `interval $1` by `$1::interval`. pg_stat_statements writes `interval $1`
 * for `interval '1 day'`, but PostgreSQL does not accept `interval $1`.
 */
function toParsable(sql: string): string {
  return sql.replaceAll(/\b(interval|date|timestamptz?|time) (\$\d+)/gi, '$2::$1');
}

/** Maximum size of a statement that is considered, in bytes. */
const MAX_STATEMENT_BYTES = 20_000;

const CATALOGS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'pg_toast']);

function buildQuery(view: string): string {
  return `
    select s.queryid, s.calls, round(s.total_exec_time::numeric, 2), s.query
    from ${view} s
    where s.dbid = (select oid from pg_database where datname = current_database()) and s.queryid is not null
      and octet_length(s.query) <= ${MAX_STATEMENT_BYTES} and s.query ~* '^[[:space:](]*(select|with|insert|update|delete|merge)[[:space:]]'
      and s.query !~* '(from|join)[[:space:]]+(pg_catalog[.])?(pg_|information_schema)'
    order by s.total_exec_time desc, s.queryid
    limit $1::int`;
}
