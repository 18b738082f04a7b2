import {
  confirm,
  Flag,
  Integer,
  OneOf,
  outdated,
  Text,
  TextList,
  ToolError,
  type Preview,
  type RequestContext,
} from '@org/mcp-decorators';

import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { PushStream } from '../database/push-stream.ts';
import type { WriteOptions, Writer } from '../database/writer.ts';
import { requireParsable, requireSendable } from '../policy/bounds.ts';
import { parseStatement } from '../policy/parse-statement.ts';
import { SyntaxFailure } from '../policy/parser.ts';
import { failure } from '../database/failures.ts';
import { FORMAT_NAMES, type FormatName } from '../rows/format.ts';
import { shownNotices } from '../rows/notices.ts';
import type { Page } from '../rows/page.ts';
import { ReturningSink } from '../spool/returning-sink.ts';
import type { Spool } from '../spool/spool.ts';
import { writeKindOf } from '../write/write-kind.ts';
import { ConfirmInput } from './confirm-input.ts';
import { observedWrite } from './observed-write.ts';
import { planWrite, requireFew, targetsOn, type Write, type WritePlan } from './plan-write.ts';
import { factsOf, nextOffset, pageFor, type FactsForm, type RowsAnswer, type RowsPage } from './rows-page.ts';
import { runAlone } from './run-alone.ts';
import { withSuggestions } from './suggestions.ts';

export class ExecuteInput extends ConfirmInput {
  @Text('One statement; to change several things together: WITH … or DO') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Integer('Change nothing if it would affect more rows', { optional: true, min: 0 }) max_affected?: number;
  @Integer('Most rows of RETURNING to return; fetch_result reads the others', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Of those rows') format: FormatName = 'csv';
  @Flag('Send everything as structured content too, for programs') structured = false;
}

/** Rows that a statement returned. */
export type ReturnedRows = Pick<
  RowsPage,
  | 'columns'
  | 'columns_omitted'
  | 'row_count'
  | 'truncated'
  | 'truncated_values'
  | 'total_rows'
  | 'handle'
  | 'expires_at'
  | 'next_offset'
  | 'rows'
>;

/** Facts about an executed statement, for programs: sent in `_meta`, or as structured content with the rows. */
export interface ExecutedStatement {
  committed: true;
  /** The command, such as `UPDATE`. */
  command: string;
  /** Number of changed rows. */
  affected?: number;
  /** Rows of RETURNING. */
  returning?: ReturnedRows;
  elapsed_ms: number;
  notices?: string[];
}

/** What a statement did, and the rows that it returned. */
export type ExecuteAnswer = RowsAnswer<ExecutedStatement>;

/** More than this is noise. */
const MAX_NOTICES = 20;

/**
 * Runs one statement that may write in its own transaction, after a confirmation of the affected rows or the target objects. Before
 * the confirmation, the statement runs only if a rollback undoes all its effects. A statement that cannot run in a transaction runs
 * without one.
 *
 * @throws ToolError READ_ONLY, POLICY_DENIED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, SYNTAX, UNDEFINED_OBJECT, PERMISSION,
 * CONSTRAINT, TIMEOUT, LOCK_TIMEOUT, TOO_LARGE, INVALID_ARGUMENTS, CONNECTION, OUTCOME_UNKNOWN, OVERLOADED, QUERY_FAILED
 */
export async function execute(
  database: Database,
  spool: Spool,
  input: ExecuteInput,
  context: RequestContext,
): Promise<ExecuteAnswer | Preview> {
  const write = await writeOf(database, spool, input, context);
  const plan = await withSuggestions(database, context, () =>
    observedWrite(database, { input, sql: input.sql, context }, (options) => planWrite(write, options)),
  );
  const preview = await confirm({ input, context, loss: plan.loss, state: plan.state, subject: 'the database' });
  if (preview !== undefined) return preview;
  return observedWrite(database, { input, sql: input.sql, context }, (options) => run(write, { plan, input, options }));
}

async function writeOf(database: Database, spool: Spool, input: ExecuteInput, context: RequestContext): Promise<Write> {
  const { params = [], max_affected: maxAffected } = input;
  const writer = requireWriter(database);
  requireSendable(params.join(' '), Number.MAX_SAFE_INTEGER);
  requireSendable(input.sql, database.limits.maxStatement);
  requireParsable(input.sql);
  const { statement, sql } = await soleStatement(input.sql);
  const kind = writeKindOf(statement);
  if (typeof kind === 'string') return { database, spool, writer, statement, kind, sql, params, maxAffected, context };
  throw new ToolError('POLICY_DENIED', `execute does not run this: ${kind.reason}`, {
    hint: kind.hint,
    data: { rule: 'statement', name: statement.kind },
  });
}

/** @throws ToolError READ_ONLY */
export function requireWriter({ writer, id }: Database): Writer {
  if (writer !== undefined) return writer;
  throw new ToolError('READ_ONLY', `${id} is only read`, { hint: 'the operator can start the server with --writable' });
}

async function soleStatement(text: string): Promise<Pick<Write, 'statement' | 'sql'>> {
  const { statements, sql } = await parseStatement(text).catch((error: unknown) => {
    throw error instanceof SyntaxFailure ? failure(error, text) : error;
  });
  const [statement] = statements;
  if (statement !== undefined && statements.length === 1) return { statement, sql };
  throw new ToolError('INVALID_ARGUMENTS', `there are ${statements.length} statements; a call takes one`, {
    hint: 'to change several things together, write one statement: WITH … or DO',
  });
}

interface Run {
  readonly plan: WritePlan;
  readonly input: ExecuteInput;
  readonly options: WriteOptions;
}

async function run(write: Write, { plan, input, options }: Run): Promise<ExecuteAnswer> {
  const { sql, params, writer, kind } = write;
  const started = performance.now();
  const page = pageFor(write.database, input);
  const { format, structured } = input;
  const sink = new ReturningSink({ ...write, sql: input.sql, page, format, structured });
  const statement = new PushStream({ sql, params, kind: 'direct', sink, stop: () => undefined });
  const notices: string[] = [];
  try {
    if (kind === 'alone') {
      await runAlone(write, options, statement);
      await sink.finish();
    } else
      await writer.commit(options, async (connection) => {
        await runNoting(connection, { write, plan, statement, notices });
        requireFew(statement.affected, write.maxAffected);
        if (plan.affected !== undefined && statement.affected !== plan.affected)
          throw outdated('the database', { expected: plan.affected, actual: statement.affected });
        await sink.finish();
      });
  } catch (error) {
    sink.drop();
    throw error;
  }
  return answerOf(write, { statement, page, sink, input, notices, elapsedMs: Math.round(performance.now() - started) });
}

async function runNoting(
  connection: Connection,
  { write, plan, statement, notices }: { write: Write; plan: WritePlan; statement: PushStream; notices: string[] },
): Promise<void> {
  const stopListening = connection.onNotice((notice) => notices.length < MAX_NOTICES && notices.push(notice));
  try {
    if (plan.affected === undefined) requireSame(plan, await targetsOn(connection, write.statement));
    await connection.read(statement);
  } finally {
    stopListening();
  }
}

function requireSame({ targets }: WritePlan, now: WritePlan['targets']): void {
  const oids = (list: WritePlan['targets']): string => list.map(({ oid }) => oid).join();
  if (oids(targets) !== oids(now)) throw outdated('the database');
}

interface Done {
  readonly statement: PushStream;
  readonly sink: ReturningSink;
  readonly page: Page;
  readonly input: ExecuteInput;
  readonly notices: readonly string[];
  readonly elapsedMs: number;
}

async function answerOf({ database, spool, context }: Write, done: Done): Promise<ExecuteAnswer> {
  const { statement, page, sink, input, notices, elapsedMs } = done;
  const { command, affected } = statement;
  const { fields, handle, count } = sink;
  // It is done: that the names of types are not known is no failure.
  const types = await database.columnTypes.of(fields, database, { signal: context.signal }).catch(() => []);
  const columns = fields.map(({ name }, index) => ({ name, type: types[index]?.type ?? 'unknown' }));
  const { format, structured } = input;
  const maxBytes = database.maxResultBytes;
  const shown = shownNotices(notices, maxBytes);
  const kept = { total_rows: count, ...(handle !== undefined && { handle, expires_at: spool.expiresAt }) };
  const next = (): Partial<RowsPage> => (handle === undefined ? {} : nextOffset(page));
  const facts = (form: FactsForm): ExecutedStatement => ({
    committed: true,
    command,
    ...(affected !== undefined && { affected }),
    ...(fields.length > 0 && { returning: { ...factsOf(page, columns, form), ...kept, ...next() } }),
    elapsed_ms: elapsedMs,
    ...(shown.length > 0 && { notices: shown }),
  });
  return { page, columns, format, structured, maxBytes, facts };
}
