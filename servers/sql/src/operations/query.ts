import { Flag, Text, TextList, type RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { read, type ReadOutcome, type ReadQuery } from '../database/read.ts';
import { stream } from '../database/stream.ts';
import type { Page } from '../rows/page.ts';
import { shownNotices } from '../rows/notices.ts';
import { KeptResult } from '../spool/kept-result.ts';
import type { Spool } from '../spool/spool.ts';
import {
  columnsOf,
  factsOf,
  nextOffset,
  pageFor,
  refuseNul,
  RowsInput,
  type FactsForm,
  type RowsAnswer,
  type RowsPage,
} from './rows-page.ts';
import { withSuggestions } from './suggestions.ts';

export class QueryInput extends RowsInput {
  @Text('One statement that reads: SELECT, VALUES, TABLE, WITH, SHOW or EXPLAIN') sql!: string;
  @TextList('Values of $1, $2 and so on, as text; PostgreSQL infers their types', { optional: true }) params?: (string | null)[];
  @Flag('Keep all rows, for fetch_result and export by handle') keep = false;
}

/** What a query returned, besides its text. */
export interface QueryResult extends RowsPage {
  /** Number of rows that the planner expected of the whole statement. */
  estimate?: number;
  elapsed_ms: number;
  notices?: string[];
}

interface Kept extends ReadOutcome {
  readonly handle: string;
  readonly total: number | undefined;
}

/**
 * Runs one statement in a read-only transaction and returns its first rows. With `keep` all its rows go to the spool; the answer does
 * not wait for those after the first ones.
 *
 * @throws ToolError READ_ONLY, SYNTAX, UNDEFINED_OBJECT, PERMISSION, TIMEOUT, LOCK_TIMEOUT, TOO_LARGE, CONNECTION, QUERY_FAILED;
 * with `keep` also IO, NO_SPACE
 */
export async function query(
  database: Database,
  spool: Spool,
  input: QueryInput,
  context: RequestContext,
): Promise<RowsAnswer<QueryResult>> {
  const page = pageFor(database, input);
  const maxRows = Math.min(input.max_rows, database.limits.maxRows);
  const statement = { sql: input.sql, params: input.params ?? [], timeoutMs: database.timeoutFor(input), maxRows, page };
  refuseNul(statement);
  const run = (): Promise<ReadOutcome | Kept> =>
    input.keep ? keep(database, spool, statement, context) : read(database, statement, context);
  const outcome = await withSuggestions(database, context, run);
  const isKept = 'handle' in outcome;
  const reading = { sql: input.sql, connected: isKept && outcome.total === undefined };
  const columns = await columnsOf(outcome.fields, database, context, reading).catch((error: unknown) => {
    // Without an answer, no one knows the handle.
    if (isKept) spool.drop(outcome.handle);
    throw error;
  });
  const { format, structured } = input;
  const maxBytes = database.maxResultBytes;
  const notices = shownNotices(outcome.notices, maxBytes);
  const about = {
    elapsed_ms: outcome.elapsedMs,
    ...('handle' in outcome && keptFacts(outcome, spool)),
    ...(outcome.estimate !== undefined && { estimate: outcome.estimate }),
    ...(notices.length > 0 && { notices }),
  };
  const facts = (form: FactsForm): QueryResult => ({
    ...factsOf(page, columns, form),
    ...about,
    ...(isKept && nextOffset(page)),
  });
  return { page, columns, format, structured, maxBytes, facts };
}

async function keep(
  database: Database,
  spool: Spool,
  { page, ...statement }: ReadQuery & { readonly page: Page },
  context: RequestContext,
): Promise<Kept> {
  const started = performance.now();
  const { handle, made } = await spool.add((file) => new KeptResult(file, { database, sql: statement.sql }), context, {
    hashed: false,
  });
  try {
    await made.fill(page, (signal) => stream(database, { ...statement, signal }, made, context), context.signal);
  } catch (error) {
    spool.drop(handle);
    throw error;
  }
  const { fields, notices, total } = made;
  return { fields, notices, total, handle, elapsedMs: Math.round(performance.now() - started), estimate: undefined };
}

function keptFacts({ handle, total }: Kept, { expiresAt }: Spool): Partial<RowsPage> {
  return { handle, expires_at: expiresAt, ...(total !== undefined && { total_rows: total }) };
}
