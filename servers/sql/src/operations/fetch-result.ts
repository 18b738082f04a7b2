import { Integer, Text, type RequestContext } from '@org/mcp-decorators';

import { timedOut } from '../database/failures.ts';
import type { Row } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { KeptResult } from '../spool/kept-result.ts';
import { expired } from '../spool/dropped.ts';
import type { Spool } from '../spool/spool.ts';
import {
  columnsOf,
  factsOf,
  nextOffset,
  pageFor,
  RowsInput,
  type FactsForm,
  type RowsAnswer,
  type RowsPage,
} from './rows-page.ts';

export class FetchResultInput extends RowsInput {
  @Text('Of a query with keep, or of execute') handle!: string;
  @Integer('Rows to skip', { min: 0 }) offset = 0;
}

/**
 * Returns rows of a kept result without asking the database again; waits for those that are still to come.
 *
 * @throws ToolError HANDLE_EXPIRED, TIMEOUT, IO, and what the statement failed with after the rows it had
 */
export async function fetchResult(spool: Spool, input: FetchResultInput, context: RequestContext): Promise<RowsAnswer<RowsPage>> {
  const kept = keptResult(spool, input, context);
  const page = pageFor(kept.database, input);
  await fillInTime(page, kept, input, context);
  const columns = await columnsOf(kept.fields, kept.database, context, { sql: kept.sql, connected: !kept.finished });
  const { format, structured } = input;
  const about = {
    ...(kept.total !== undefined && { total_rows: kept.total }),
    handle: input.handle,
    expires_at: spool.expiresAt,
  };
  const facts = (form: FactsForm): RowsPage => ({ ...factsOf(page, columns, form), ...about, ...nextOffset(page, input.offset) });
  return { page, columns, format, structured, maxBytes: kept.database.maxResultBytes, facts };
}

/** The result that a caller keeps, of the database that it names, if it names one. @throws ToolError HANDLE_EXPIRED */
export function keptResult(
  spool: Spool,
  { handle, database }: { readonly handle: string; readonly database?: string },
  context: RequestContext,
): KeptResult {
  const kept = spool.get(handle, KeptResult, context);
  if (database !== undefined && database !== kept.database.id) throw expired();
  return kept;
}

/** Adds rows until the page is full. */
export async function fillPage(page: Page, blocks: AsyncIterable<Iterable<Row>>): Promise<void> {
  for await (const rows of blocks) for (const row of rows) if (!page.add(row)) return;
}

async function fillInTime(page: Page, kept: KeptResult, input: FetchResultInput, { signal }: RequestContext): Promise<void> {
  const timeoutMs = kept.database.timeoutFor(input);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    await fillPage(page, kept.from(input.offset, AbortSignal.any([signal, late])));
  } catch (error) {
    throw late.aborted ? timedOut(timeoutMs) : error;
  }
}
