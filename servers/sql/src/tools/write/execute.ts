import {
  confirm,
  confirmedResult,
  Flag,
  Integer,
  OneOf,
  Text,
  ToolError,
  type Preview,
  type RequestContext,
  type Result,
} from '@org/mcp-decorators';

import { writeTimeoutFor } from '../../engine/limits.ts';
import type { ResultColumn, ResultHeader } from '../../engine/reading.ts';
import { rejectNul } from '../../engine/reject-nul.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import type { CommittedWrite, PreparedWrite, WritePlan } from '../../engine/writing.ts';
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
import { ParamsField, toTexts } from '../params-field.ts';

export class ExecuteInput extends ConfirmInput {
  @Text('One statement') sql!: string;
  @ParamsField('Values of the placeholders, in order; objects and arrays are JSON') params?: unknown[];
  @Integer('Abort if more rows would be affected', { optional: true, min: 0 }) max_affected?: number;
  @Integer('Maximum number of RETURNING rows; fetch_result reads the rest', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Format of returned rows') format: FormatName = 'csv';
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
  /** Number of changed rows, or of returned rows for SELECT. Absent for a command that counts no rows, such as CREATE TABLE. */
  affected?: number;
  /** Rows that the statement returned, such as those of RETURNING. */
  returning?: ReturnedRows;
  elapsed_ms: number;
  notices?: string[];
}

/** The effects of a committed statement, and the rows that the statement returned. */
type ExecuteAnswer = RowsAnswer<ExecutedStatement>;

/** The database that runs a statement, and the store for the rows that the statement returns. */
interface ExecuteTarget {
  readonly database: SqlDatabase;
  readonly results: ResultStore;
}

/**
 * Runs one statement that may write. It runs in its own transaction, after a confirmation of the affected rows or the target
 * objects. Before the confirmation, the statement runs only if a rollback undoes all its effects. A statement that cannot run in
 * a transaction runs without one.
 *
 * @throws ToolError READ_ONLY, POLICY_DENIED, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, SYNTAX, UNDEFINED_OBJECT, PERMISSION,
 * CONSTRAINT, TIMEOUT, LOCK_TIMEOUT, TOO_LARGE, INVALID_ARGUMENTS, CONNECTION, OUTCOME_UNKNOWN, OVERLOADED, QUERY_FAILED
 */
export async function executeStatement(
  database: SqlDatabase,
  results: ResultStore,
  input: ExecuteInput,
  context: RequestContext,
): Promise<Result> {
  const outcome = await confirmAndRun({ database, results }, input, context);
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
  target: ExecuteTarget,
  input: ExecuteInput,
  context: RequestContext,
): Promise<ExecuteAnswer | Preview> {
  const write = await prepare(target, input, context);
  const plan = await withSuggestions(target.database, context, () => write.plan(context));
  const preview = await confirm({ input, context, loss: plan.loss, state: plan.state, subject: 'the database' });
  return preview ?? run(target, { write, plan, input }, context);
}

async function prepare(
  { database, results }: ExecuteTarget,
  input: ExecuteInput,
  context: RequestContext,
): Promise<PreparedWrite> {
  const { sql, max_affected: maxAffected } = input;
  const params = toTexts(input.params);
  if (database.prepareWrite === undefined || !database.writable) throw readOnlyError(database);
  const request = { sql, params, maxAffected, timeoutMs: writeTimeoutFor(database, input), maxStoredBytes: results.maxBytes };
  const write = await database.prepareWrite(request, context);
  // The database checks the statement first, because the error of the database may be more precise.
  rejectNul(database, request);
  return write;
}

/** Creates the error for a call that would write to a database that may only be read. */
export function readOnlyError({ id }: Pick<SqlDatabase, 'id'>): ToolError {
  return new ToolError('READ_ONLY', `the database ${id} is read-only`, {
    hint: 'the operator can start the server with --writable',
  });
}

interface Run {
  readonly write: PreparedWrite;
  readonly plan: WritePlan;
  readonly input: ExecuteInput;
}

async function run(
  { database, results }: ExecuteTarget,
  { write, plan, input }: Run,
  context: RequestContext,
): Promise<ExecuteAnswer> {
  const started = performance.now();
  const page = createPage(database, input, context);
  const { format, structured } = input;
  const sink = new ReturningSink({ database, results, context, page, format, structured });
  const committed = await write.commit(plan, sink, context).catch((error: unknown) => {
    sink.drop();
    throw error;
  });
  const elapsedMs = Math.round(performance.now() - started);
  return createAnswer({ database, results }, { committed, page, sink, input, elapsedMs }, context);
}

interface Executed {
  readonly committed: CommittedWrite;
  readonly page: Page;
  readonly sink: ReturningSink;
  readonly input: ExecuteInput;
  readonly elapsedMs: number;
}

async function createAnswer(
  { database, results }: ExecuteTarget,
  { committed, page, sink, input, elapsedMs }: Executed,
  { signal }: RequestContext,
): Promise<ExecuteAnswer> {
  const { command, affected, notices } = committed;
  const { header, handle, count } = sink;
  const columns = header === undefined ? [] : await describeColumns(header, signal);
  const { format, structured } = input;
  const maxBytes = database.limits.maxResultBytes;
  const shown = limitNotices(notices, maxBytes);
  const kept = { total_rows: count, ...(handle !== undefined && { handle, expires_at: results.expiresAt }) };
  const next = (): Partial<RowsPage> => (handle === undefined ? {} : nextOffset(page));
  const facts = (form: FactsForm): ExecutedStatement => ({
    committed: true,
    command,
    ...(affected !== undefined && { affected }),
    ...(columns.length > 0 && { returning: { ...pageFacts(page, columns, form), ...kept, ...next() } }),
    elapsed_ms: elapsedMs,
    ...(shown.length > 0 && { notices: shown }),
  });
  return { page, columns, format, structured, maxBytes, facts };
}

/**
 * Returns the columns. If their types cannot be read, each type is `unknown`, because the call must succeed: the statement is
 * committed.
 */
async function describeColumns(header: ResultHeader, signal: AbortSignal): Promise<readonly ResultColumn[]> {
  const types = await readTypes(header, signal);
  return header.names.map((name, index) => ({ name, type: types[index] ?? 'unknown' }));
}

async function readTypes(header: ResultHeader, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return (await header.describe({ signal })).map(({ type }) => type);
  } catch {
    return [];
  }
}
