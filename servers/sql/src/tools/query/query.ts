import { Flag, Text, type RequestContext, type Result } from '@org/mcp-decorators';

import { timeoutFor } from '../../engine/limits.ts';
import type { ReadOutcome, ReadQuery } from '../../engine/reading.ts';
import { rejectNul } from '../../engine/reject-nul.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import type { ResultStore } from '../../result-store/result-store.ts';
import { StoredResult } from '../../result-store/stored-result.ts';
import { limitNotices } from '../../rows/notices.ts';
import type { Page } from '../../rows/page.ts';
import { oneLine } from '../../rows/shown-value.ts';
import { withSuggestions } from '../suggestions.ts';
import { pageFacts, nextOffset, createPage, RowsInput, type FactsForm, type RowsPage } from './rows-page.ts';
import { noteCounts, noteMissingRows, createRowsResult } from './rows-result.ts';
import { ParamsField, toTexts } from '../params-field.ts';

export class QueryInput extends RowsInput {
  @Text('One reading statement, such as SELECT, WITH or EXPLAIN') sql!: string;
  @ParamsField('Values of the placeholders, in order; objects and arrays are JSON') params?: unknown[];
  @Flag('Store all rows, for fetch_result and export by handle') keep = false;
}

/** Facts about a query and its rows, for programs. */
export interface QueryResult extends RowsPage {
  /** Number of rows of the whole statement, as estimated by the planner. */
  estimate?: number;
  elapsed_ms: number;
  notices?: string[];
}

interface StoredOutcome extends ReadOutcome {
  readonly handle: string;
  readonly total: number | undefined;
}

/**
 * Runs one statement that reads and returns its first rows. With `keep`, the result store receives all rows, and the function
 * returns as soon as the page is full or all rows have arrived.
 *
 * @throws ToolError INVALID_ARGUMENTS, READ_ONLY, POLICY_DENIED, SYNTAX, UNDEFINED_OBJECT, PERMISSION, TIMEOUT, LOCK_TIMEOUT,
 * TOO_LARGE, CONNECTION, QUERY_FAILED; with `keep` also TOO_LARGE if the store is full, IO and NO_SPACE
 */
export async function runQuery(
  database: SqlDatabase,
  results: ResultStore,
  input: QueryInput,
  context: RequestContext,
): Promise<Result> {
  const page = createPage(database, input, context);
  const maxRows = Math.min(input.max_rows, database.limits.maxRows);
  const statement = { sql: input.sql, params: toTexts(input.params), timeoutMs: timeoutFor(database, input), maxRows, page };
  rejectNul(database, statement);
  const run = (): Promise<ReadOutcome | StoredOutcome> =>
    input.keep ? storeRows(database, results, statement, context) : database.read(statement, context);
  const outcome = await withSuggestions(database, context, run);
  const isStored = 'handle' in outcome;
  const isRunning = isStored && outcome.total === undefined;
  const columns = await outcome.header.describe({ signal: context.signal, isRunning }).catch((error: unknown) => {
    // If the call fails, the caller does not receive the handle, so the stored rows would never be used.
    if (isStored) results.drop(outcome.handle);
    throw error;
  });
  const { format, structured } = input;
  const maxBytes = database.limits.maxResultBytes;
  const notices = limitNotices(outcome.notices, maxBytes);
  const about = {
    elapsed_ms: outcome.elapsedMs,
    ...('handle' in outcome && describeStored(outcome, results)),
    ...(outcome.estimate !== undefined && { estimate: outcome.estimate }),
    ...(notices.length > 0 && { notices }),
  };
  const facts = (form: FactsForm): QueryResult => ({
    ...pageFacts(page, columns, form),
    ...about,
    ...(isStored && nextOffset(page)),
  });
  return createRowsResult({ page, columns, format, structured, maxBytes, facts }, writeNotes);
}

function writeNotes(found: QueryResult, body: readonly string[]): readonly string[] {
  const { truncated, notices = [] } = found;
  const more = truncated === undefined ? [] : [noteMissingRows(found) ?? MISSING[truncated]];
  return [...body, ...noteCounts(found), ...more, ...notices.map(oneLine)];
}

const MISSING = {
  rows: 'max_rows was reached: raise max_rows, or use keep and fetch_result',
  bytes: 'the result has no room for more rows: select fewer columns, or use keep and fetch_result',
} as const;

async function storeRows(
  database: SqlDatabase,
  results: ResultStore,
  { page, ...statement }: ReadQuery & { readonly page: Page },
  context: RequestContext,
): Promise<StoredOutcome> {
  const started = performance.now();
  const { handle, made } = await results.add((file) => new StoredResult(file, database), context, {
    hashed: false,
  });
  try {
    await made.fill(page, (signal) => database.stream({ ...statement, signal }, made, context), context.signal);
  } catch (error) {
    results.drop(handle);
    throw error;
  }
  const { header, notices, total } = made;
  return { header, notices, total, handle, elapsedMs: Math.round(performance.now() - started) };
}

function describeStored({ handle, total }: StoredOutcome, { expiresAt }: ResultStore): Partial<RowsPage> {
  return { handle, expires_at: expiresAt, ...(total !== undefined && { total_rows: total }) };
}
