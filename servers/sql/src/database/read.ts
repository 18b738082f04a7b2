import { ToolError, type RequestContext } from '@org/mcp-decorators';
import type { FieldDef } from 'pg';

import type { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import { requireAffordable, type CostedStatement } from './cost.ts';
import type { Database, ReadOnlyWork } from './database.ts';
import { sqlstateOf } from './failures.ts';
import { explainGeneric } from './generic-plan.ts';
import { QueryProgress } from './query-progress.ts';
import { readKind } from './read-kind.ts';
import { ReadStatement, type ReadKind } from './read-statement.ts';

/** One statement of a user, and where its rows go. */
export interface ReadQuery {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly page: RowSink;
  /** Words of ours before the statement; error positions do not count them. */
  readonly before?: string;
  /** Explain it for any values of its parameters. */
  readonly generic?: boolean;
}

/** A {@link ReadQuery} with the text that the policy admitted. */
type AdmittedQuery = Omit<ReadQuery, 'sql'> & { readonly sql: SendableSql };

/** Where rows go. */
interface RowSink {
  /** Set once a limit was reached. */
  readonly truncated: 'rows' | 'bytes' | undefined;
  /** Takes a row; false if it was not taken. */
  add(row: Row): boolean;
}

/** What is known of a statement besides its rows. */
export interface ReadOutcome {
  readonly fields: readonly FieldDef[];
  readonly notices: readonly string[];
  readonly elapsedMs: number;
  /** The planner's guess of all its rows, where the statement took long enough to ask. */
  readonly estimate: number | undefined;
}

/** More than this is noise. */
const MAX_NOTICES = 20;

/**
 * Runs one statement that reads, and fills the page with its rows.
 *
 * @throws ToolError READ_ONLY for a statement that does not return rows, and those of `Database.readOnly`
 */
export async function read(database: Database, query: ReadQuery, context: RequestContext): Promise<ReadOutcome> {
  const { sql, params, timeoutMs, before } = query;
  using progress = new QueryProgress(context, database);
  const admitted = { ...query, sql: await database.policy.admit(database, { sql, params, before, signal: context.signal }) };
  const kind = before === undefined ? readKind(admitted.sql) : 'direct';
  const { maxCost } = database.limits;
  // Awaited here, for the progress is told until then.
  return await database.readOnly({ signal: context.signal, timeoutMs, sql }, async (work) => {
    const started = performance.now();
    const notices: string[] = [];
    const stopListening = work.connection.onNotice((notice) => notices.length < MAX_NOTICES && notices.push(notice));
    progress.begin(work.connection.processId, before === undefined ? admitted : undefined);
    try {
      if (maxCost !== undefined) await requireAffordable(work.connection, costed(kind, admitted), maxCost);
      const statement = await run(kind, admitted, work, progress);
      if (kind === 'parsed') throw notARead();
      const elapsedMs = Math.round(performance.now() - started);
      return { fields: statement.fields, notices, elapsedMs, estimate: progress.estimate };
    } finally {
      stopListening();
    }
  });
}

function costed(kind: ReadKind, { sql, params, before, generic, maxRows }: AdmittedQuery): CostedStatement | undefined {
  // Neither runs anything.
  if (kind === 'parsed' || generic === true) return undefined;
  return { sql, params, ...(before !== undefined && { before }), ...(kind === 'wrapped' && { limit: maxRows + 1 }) };
}

async function run(kind: ReadKind, query: AdmittedQuery, work: ReadOnlyWork, progress: QueryProgress): Promise<ReadStatement> {
  const { page, sql, params, maxRows, before } = query;
  // One row more than fits says that there are more.
  const limit = maxRows + 1;
  const onRow = (row: Row): void => {
    if (page.add(row)) progress.read(1);
    else if (page.truncated === 'bytes') work.interrupt();
  };
  if (query.generic === true) return explainGeneric(work.connection, { ...query, onRow });
  const statement = new ReadStatement({ sql, before, params, limit, kind, onRow });
  try {
    await work.connection.finish(statement);
  } catch (error) {
    if (statement.cannotBeWrapped) return run('direct', query, work, progress);
    // We stopped it because nothing more fits.
    if (page.truncated !== 'bytes' || sqlstateOf(error) !== '57014') throw error;
  }
  return statement;
}

function notARead(): ToolError {
  return new ToolError('READ_ONLY', 'the statement does not return rows, so it was not run', {
    hint: 'SELECT, VALUES, TABLE, WITH, SHOW and EXPLAIN are; each call takes one statement',
  });
}
