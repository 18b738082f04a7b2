import { ToolError, type RequestContext } from '@org/mcp-decorators';

import type { SendableSql } from '../policy/parse/sendable-sql.ts';
import type { ReadOutcome, ReadQuery, RowSink } from '../../engine/reading.ts';
import type { Row } from '../../rows/format.ts';
import { requireAffordable, type CostedStatement } from './cost.ts';
import type { Database } from './database.ts';
import { explainGeneric } from './query/explain-generic.ts';
import type { ReadOnlyWork } from './query/read-only-database.ts';
import { noteRowSecurity } from './query/row-security.ts';
import { getSqlstate } from './errors/failures.ts';
import { QueryProgress } from './progress/query-progress.ts';
import { getReadKind } from './read-kind.ts';
import { ReadStatement, type ReadKind } from './protocol/read-statement.ts';

/** One statement of a caller, and the SQL with which it is explained. */
export interface ExplainedQuery extends ReadQuery {
  /** SQL of this package that precedes the statement in the same text, such as `EXPLAIN`. Positions in errors do not count this SQL. */
  readonly before?: string;
  /** Whether to explain the generic plan, which is valid for any values of the parameters. */
  readonly generic?: boolean;
}

/** A query with the text that the policy admitted. */
type AdmittedQuery = Omit<ExplainedQuery, 'sql'> & { readonly sql: SendableSql };

/** Maximum number of notices that are kept; further notices are dropped. */
const MAX_NOTICES = 20;

/**
 * Runs one statement that reads, and adds its rows to the page.
 *
 * @throws ToolError READ_ONLY for a statement that does not return rows; POLICY_DENIED if the statement would exceed the cost
 * limit; the errors of `Policy.admit` and `Database.readOnly`
 */
export async function read(database: Database, query: ExplainedQuery, context: RequestContext): Promise<ReadOutcome> {
  const { sql, params, timeoutMs, before } = query;
  using progress = new QueryProgress(context, database);
  const admitted = { ...query, sql: await database.policy.admit({ sql, params, before, signal: context.signal }) };
  const kind = before === undefined ? getReadKind(admitted.sql) : 'direct';
  const { maxCost } = database.limits;
  // `await` keeps the progress reports active until the statement has ended.
  return await database.readOnly({ signal: context.signal, timeoutMs, ...findReported(sql, admitted.sql) }, async (work) => {
    const started = performance.now();
    const notices = listMaskNotices(admitted.sql);
    const stopListening = work.connection.onNotice((notice) => notices.length < MAX_NOTICES && notices.push(notice));
    progress.begin(work.connection.processId, before === undefined ? admitted : undefined);
    try {
      if (maxCost !== undefined) await requireAffordable(work.connection, toCostedStatement(kind, admitted), maxCost);
      const counted = countRows(admitted.page);
      const statement = await run(kind, { ...admitted, page: counted }, work, progress);
      if (kind === 'parsed') throw notARead();
      const elapsedMs = Math.round(performance.now() - started);
      if (counted.count === 0 && before === undefined) notices.push(...(await noteRowSecurity(work.connection, admitted.sql)));
      return {
        header: database.columnTypes.createHeader(statement.fields, query.sql),
        notices,
        elapsedMs,
        estimate: progress.estimate,
      };
    } finally {
      stopListening();
    }
  });
}

/**
 * Returns the text to which positions in errors refer, or no text if columns are masked, because the text that was sent differs.
 */
export function findReported(sql: string, sent: SendableSql): { readonly sql?: string } {
  return sent.masked.length === 0 ? { sql } : {};
}

/** Returns the notice that names masked columns, if there are any. */
export function listMaskNotices({ masked }: SendableSql): string[] {
  return masked.length === 0 ? [] : [`MASKED: the operator masks ${masked.join(', ')}`];
}

/** Counts the rows that a sink receives. */
function countRows(page: RowSink): RowSink & { readonly count: number } {
  let count = 0;
  return {
    get count() {
      return count;
    },
    get truncated() {
      return page.truncated;
    },
    add: (row) => {
      count += 1;
      return page.add(row);
    },
  };
}

function toCostedStatement(
  kind: ReadKind,
  { sql, params, before, generic, maxRows }: AdmittedQuery,
): CostedStatement | undefined {
  // The cost limit does not apply to a statement that is only parsed or planned.
  if (kind === 'parsed' || generic === true) return undefined;
  return { sql, params, ...(before !== undefined && { before }), ...(kind === 'wrapped' && { limit: maxRows + 1 }) };
}

async function run(kind: ReadKind, query: AdmittedQuery, work: ReadOnlyWork, progress: QueryProgress): Promise<ReadStatement> {
  const { page, sql, params, maxRows, before } = query;
  // The server is requested to send one row more than the limit; this row shows that the result is incomplete.
  const limit = maxRows + 1;
  const onRow = (row: Row): void => {
    if (page.add(row)) progress.addRows(1);
    else if (page.truncated === 'bytes') work.interrupt();
  };
  if (query.generic === true)
    return explainGeneric(work.connection, { ...query, onRow }, (statement) => work.connection.finish(statement));
  const statement = new ReadStatement({ sql, before, params, limit, kind, onRow });
  try {
    await work.connection.finish(statement);
  } catch (error) {
    if (statement.cannotBeWrapped) return run('direct', query, work, progress);
    // This error is expected if the statement was cancelled because the page is full.
    if (page.truncated !== 'bytes' || getSqlstate(error) !== '57014') throw error;
  }
  return statement;
}

function notARead(): ToolError {
  return new ToolError('READ_ONLY', 'the statement does not return rows, so it was not run', {
    hint: 'SELECT, VALUES, TABLE, WITH, SHOW and EXPLAIN return rows; each call takes one statement',
  });
}
