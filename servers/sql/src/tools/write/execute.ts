import {
  confirm,
  confirmedResult,
  Flag,
  Integer,
  OneOf,
  staleConfirmation,
  Text,
  TextList,
  ToolError,
  type Preview,
  type RequestContext,
  type Result,
} from '@org/mcp-decorators';

import type { Connection } from '../../postgres/database/connect/connection.ts';
import { translateError } from '../../postgres/database/errors/failures.ts';
import { RowStream } from '../../postgres/database/protocol/row-stream.ts';
import type { Database } from '../../postgres/database/database.ts';
import type { WriteOptions } from '../../postgres/database/writer.ts';
import { requireParsable, requireSendable } from '../../postgres/policy/parse/bounds.ts';
import { parseStatement } from '../../postgres/policy/parse/parse-statement.ts';
import { SyntaxFailure } from '../../postgres/policy/parse/parser.ts';
import type { ResultStore } from '../../result-store/result-store.ts';
import { ReturningSink } from '../../result-store/returning-sink.ts';
import { FORMAT_NAMES, type FormatName } from '../../rows/format.ts';
import { limitNotices } from '../../rows/notices.ts';
import type { Page } from '../../rows/page.ts';
import { oneLine } from '../../rows/shown-value.ts';
import { rowsText } from '../../rows/size-text.ts';
import { createPage, nextOffset, pageFacts, type FactsForm, type RowsAnswer, type RowsPage } from '../query/rows-page.ts';
import { noteCutValues, noteMissingRows, createRowsResult } from '../query/rows-result.ts';
import { withSuggestions } from '../suggestions.ts';
import { ConfirmInput } from './confirm-input.ts';
import { classifyWrite } from '../../postgres/tools/write/effects/write-kind.ts';
import { runOutsideTransaction } from '../../postgres/tools/write/outside-transaction.ts';
import { limitAffected, planWrite, readTargetsOn, type WritePlan } from '../../postgres/tools/write/plan-write.ts';
import { observeWrite, requireWriter, type WriteRequest } from '../../postgres/tools/write/write-request.ts';

export class ExecuteInput extends ConfirmInput {
  @Text('One statement; to make several changes together, use WITH … or DO') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Integer('Abort if more than this many rows would be affected', { optional: true, min: 0 }) max_affected?: number;
  @Integer('Maximum number of RETURNING rows; fetch_result reads the rest', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Output format of returned rows') format: FormatName = 'csv';
  @Flag('Also return structured content, for programs') structured = false;
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
  /** Command tag of the statement, such as `UPDATE`. */
  command: string;
  /** Number of changed rows. */
  affected?: number;
  /** Rows of RETURNING. */
  returning?: ReturnedRows;
  elapsed_ms: number;
  notices?: string[];
}

/** The effects of a committed statement, and the rows that the statement returned. */
type ExecuteAnswer = RowsAnswer<ExecutedStatement>;

/** Maximum number of notices in a result. */
const MAX_NOTICES = 20;

/**
 * Runs one statement that may write in its own transaction, after a confirmation of the affected rows or the target objects. Before
 * the confirmation, the statement runs only if a rollback undoes all its effects. A statement that cannot run in a transaction runs
 * without one.
 *
 * @throws ToolError READ_ONLY, POLICY_DENIED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, SYNTAX, UNDEFINED_OBJECT, PERMISSION,
 * CONSTRAINT, TIMEOUT, LOCK_TIMEOUT, TOO_LARGE, INVALID_ARGUMENTS, CONNECTION, OUTCOME_UNKNOWN, OVERLOADED, QUERY_FAILED
 */
export async function executeStatement(
  database: Database,
  results: ResultStore,
  input: ExecuteInput,
  context: RequestContext,
): Promise<Result> {
  const outcome = await confirmAndRun(database, results, input, context);
  return confirmedResult(outcome, (answer) => createRowsResult(answer, writeNotes));
}

function writeNotes(executed: ExecutedStatement, body: readonly string[]): readonly string[] {
  const { command, affected, returning, notices = [] } = executed;
  return [
    `${command}${affected === undefined ? '' : `: ${rowsText(affected)}`}, committed`,
    ...body,
    ...(returning === undefined ? [] : noteReturnedRows(returning)),
    ...notices.map(oneLine),
  ];
}

function noteReturnedRows(returning: ReturnedRows): readonly string[] {
  const { row_count, total_rows = row_count, truncated, truncated_values, handle } = returning;
  const cut = noteCutValues(truncated_values);
  if (truncated === undefined)
    return handle === undefined || cut.length === 0 ? cut : [...cut, `export writes the complete values, by handle ${handle}`];
  const rest = handle === undefined ? noteLostRows(total_rows - row_count) : noteMissingRows(returning);
  return [`${row_count} of ${total_rows} returned rows are shown`, ...cut, rest ?? ''];
}

function noteLostRows(rows: number): string {
  return `${rowsText(rows)} could not be stored for fetch_result; read them with query, if the database still has them`;
}

async function confirmAndRun(
  database: Database,
  results: ResultStore,
  input: ExecuteInput,
  context: RequestContext,
): Promise<ExecuteAnswer | Preview> {
  const write = await parseRequest(database, results, input, context);
  const plan = await withSuggestions(database, context, () =>
    observeWrite(database, { input, sql: input.sql, context }, (options) => planWrite(write, options)),
  );
  const preview = await confirm({ input, context, loss: plan.loss, state: plan.state, subject: 'the database' });
  if (preview !== undefined) return preview;
  return observeWrite(database, { input, sql: input.sql, context }, (options) => runWrite(write, { plan, input, options }));
}

async function parseRequest(
  database: Database,
  results: ResultStore,
  input: ExecuteInput,
  context: RequestContext,
): Promise<WriteRequest> {
  const { params = [], max_affected: maxAffected } = input;
  const writer = requireWriter(database);
  requireSendable(params.join(' '), Number.MAX_SAFE_INTEGER);
  requireSendable(input.sql, database.limits.maxStatement);
  requireParsable(input.sql);
  const { statement, sql } = await parseSoleStatement(input.sql);
  const kind = classifyWrite(statement);
  if (typeof kind === 'string') return { database, results, writer, statement, kind, sql, params, maxAffected, context };
  throw new ToolError('POLICY_DENIED', `execute does not run this statement: ${kind.reason}`, {
    hint: kind.hint,
    data: { rule: 'statement', name: statement.kind },
  });
}

async function parseSoleStatement(text: string): Promise<Pick<WriteRequest, 'statement' | 'sql'>> {
  const { statements, sql } = await parseStatement(text).catch((error: unknown) => {
    throw error instanceof SyntaxFailure ? translateError(error, text) : error;
  });
  const [statement] = statements;
  if (statement !== undefined && statements.length === 1) return { statement, sql };
  throw new ToolError('INVALID_ARGUMENTS', `the text contains ${statements.length} statements; a call accepts one`, {
    hint: 'to make several changes together, write one statement: WITH … or DO',
  });
}

interface Run {
  readonly plan: WritePlan;
  readonly input: ExecuteInput;
  readonly options: WriteOptions;
}

async function runWrite(write: WriteRequest, { plan, input, options }: Run): Promise<ExecuteAnswer> {
  const { sql, params, writer, kind } = write;
  const started = performance.now();
  const page = createPage(write.database, input);
  const { format, structured } = input;
  const sink = new ReturningSink({ ...write, sql: input.sql, page, format, structured });
  const statement = new RowStream({ sql, params, kind: 'direct', sink, stop: () => undefined });
  const notices: string[] = [];
  try {
    if (kind === 'outsideTransaction') {
      await runOutsideTransaction(write, options, statement);
      await sink.finish();
    } else
      await writer.commit(options, async (connection) => {
        await runCollectingNotices(connection, { write, plan, statement, notices });
        limitAffected(statement.affected, write.maxAffected);
        if (plan.affected !== undefined && statement.affected !== plan.affected)
          throw staleConfirmation('the database', { expected: plan.affected, actual: statement.affected });
        await sink.finish();
      });
  } catch (error) {
    sink.drop();
    throw error;
  }
  return createAnswer(write, { statement, page, sink, input, notices, elapsedMs: Math.round(performance.now() - started) });
}

async function runCollectingNotices(
  connection: Connection,
  { write, plan, statement, notices }: { write: WriteRequest; plan: WritePlan; statement: RowStream; notices: string[] },
): Promise<void> {
  const stopListening = connection.onNotice((notice) => notices.length < MAX_NOTICES && notices.push(notice));
  try {
    if (plan.affected === undefined) requireSameTargets(plan, await readTargetsOn(connection, write.statement));
    await connection.read(statement);
  } finally {
    stopListening();
  }
}

function requireSameTargets({ targets }: WritePlan, now: WritePlan['targets']): void {
  const oids = (list: WritePlan['targets']): string => list.map(({ oid }) => oid).join();
  if (oids(targets) !== oids(now)) throw staleConfirmation('the database');
}

interface Executed {
  readonly statement: RowStream;
  readonly sink: ReturningSink;
  readonly page: Page;
  readonly input: ExecuteInput;
  readonly notices: readonly string[];
  readonly elapsedMs: number;
}

async function createAnswer({ database, results, context }: WriteRequest, executed: Executed): Promise<ExecuteAnswer> {
  const { statement, page, sink, input, notices, elapsedMs } = executed;
  const { command, affected } = statement;
  const { fields, handle, count } = sink;
  // If the types of the columns cannot be read, the call still succeeds, because the statement is committed.
  const types = await database.columnTypes.describe(fields, { signal: context.signal }).catch(() => []);
  const columns = fields.map(({ name }, index) => ({ name, type: types[index]?.type ?? 'unknown' }));
  const { format, structured } = input;
  const maxBytes = database.maxResultBytes;
  const shown = limitNotices(notices, maxBytes);
  const kept = { total_rows: count, ...(handle !== undefined && { handle, expires_at: results.expiresAt }) };
  const next = (): Partial<RowsPage> => (handle === undefined ? {} : nextOffset(page));
  const facts = (form: FactsForm): ExecutedStatement => ({
    committed: true,
    command,
    ...(affected !== undefined && { affected }),
    ...(fields.length > 0 && { returning: { ...pageFacts(page, columns, form), ...kept, ...next() } }),
    elapsed_ms: elapsedMs,
    ...(shown.length > 0 && { notices: shown }),
  });
  return { page, columns, format, structured, maxBytes, facts };
}
