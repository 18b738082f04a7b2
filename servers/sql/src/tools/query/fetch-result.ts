import { Integer, Text, type RequestContext, type Result } from '@org/mcp-decorators';

import { timeoutError } from '../../engine/errors.ts';
import { timeoutFor } from '../../engine/limits.ts';
import { expiredHandleError } from '../../result-store/handle-errors.ts';
import type { ResultStore } from '../../result-store/result-store.ts';
import { StoredResult } from '../../result-store/stored-result.ts';
import type { Row } from '../../rows/format.ts';
import type { Page } from '../../rows/page.ts';
import { pageFacts, nextOffset, createPage, RowsInput, type FactsForm, type RowsPage } from './rows-page.ts';
import { noteCounts, ROW_TOO_LONG, createRowsResult } from './rows-result.ts';

export class FetchResultInput extends RowsInput {
  @Text('Handle returned by query with keep: true, or by execute') handle!: string;
  @Integer('Number of rows to skip', { min: 0 }) offset = 0;
}

/**
 * Returns rows of a stored result without running the statement again; waits for rows that have not arrived yet.
 *
 * @throws ToolError HANDLE_EXPIRED, TIMEOUT, IO, and the error of a statement that failed before the page was full
 */
export async function fetchResult(results: ResultStore, input: FetchResultInput, context: RequestContext): Promise<Result> {
  const kept = getStoredResult(results, input, context);
  const page = createPage(kept.database, input, context);
  await fillInTime(page, kept, input, context);
  const columns = await kept.header.describe({ signal: context.signal, isRunning: !kept.finished });
  const { format, structured } = input;
  const about = {
    ...(kept.total !== undefined && { total_rows: kept.total }),
    handle: input.handle,
    expires_at: results.expiresAt,
  };
  const facts = (form: FactsForm): RowsPage => ({
    ...pageFacts(page, columns, form),
    ...about,
    ...nextOffset(page, input.offset),
  });
  return createRowsResult(
    { page, columns, format, structured, maxBytes: kept.database.limits.maxResultBytes, facts },
    writeNotes,
  );
}

function writeNotes(found: RowsPage, body: readonly string[]): readonly string[] {
  const { next_offset, truncated } = found;
  const next = next_offset === undefined ? ROW_TOO_LONG : `the next page begins at offset ${next_offset}`;
  return [...body, ...noteCounts(found), ...(truncated === undefined ? [] : [next])];
}

/**
 * Returns a stored result of this caller.
 *
 * @throws ToolError HANDLE_EXPIRED, also if the result belongs to another database than the named one
 */
export function getStoredResult(
  results: ResultStore,
  { handle, database }: { readonly handle: string; readonly database?: string },
  context: RequestContext,
): StoredResult {
  const kept = results.get(handle, StoredResult, context);
  if (database !== undefined && database !== kept.database.id) throw expiredHandleError();
  return kept;
}

/** Adds rows to a page until the page is full. */
export async function fillPage(page: Page, blocks: AsyncIterable<Iterable<Row>>): Promise<void> {
  for await (const rows of blocks) for (const row of rows) if (!page.add(row)) return;
}

async function fillInTime(page: Page, kept: StoredResult, input: FetchResultInput, { signal }: RequestContext): Promise<void> {
  const timeoutMs = timeoutFor(kept.database, input);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    await fillPage(page, kept.rowsFrom(input.offset, AbortSignal.any([signal, late])));
  } catch (error) {
    throw late.aborted ? timeoutError(timeoutMs) : error;
  }
}
