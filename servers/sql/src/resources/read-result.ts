import { Field, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';

import { fillPage, getStoredResult } from '../tools/query/fetch-result.ts';
import { Page } from '../rows/page.ts';
import type { ResultStore } from '../result-store/result-store.ts';

const PAGE_ROWS = 1000;
const PAGE_BYTES = 8_388_608;

/** The decoded variables of a URI that matches `RESULT_URI`. */
export class ResultUri {
  @Text('Handle returned by query with keep: true') handle!: string;

  @Field('Number of the page, from 1; a page has 1,000 rows')
  @Matches(/^[1-9]\d{0,8}$/)
  page!: string;
}

/**
 * Reads a page of a stored result as CSV.
 *
 * @throws ToolError NOT_FOUND for a page after the last row, except page 1; TOO_LARGE for a page of more than 8 MiB as text or 9
 * MiB as JSON; HANDLE_EXPIRED, IO, and the error of a statement that failed
 */
export async function readResultPage(results: ResultStore, uri: ResultUri, context: RequestContext): Promise<string> {
  const kept = getStoredResult(results, { handle: uri.handle }, context);
  const page = new Page({ maxRows: PAGE_ROWS, maxBytes: PAGE_BYTES, format: 'csv', keepRows: false });
  const offset = (Number(uri.page) - 1) * PAGE_ROWS;
  await fillPage(page, kept.rowsFrom(offset, context.signal));
  const text = page.text(kept.header.names);
  if (page.truncated === 'bytes')
    throw new ToolError('TOO_LARGE', `page ${uri.page} is longer than ${PAGE_BYTES} bytes`, {
      hint: `read the page with fetch_result from offset ${offset}`,
    });
  if (page.count === 0 && offset > 0) throw new ToolError('NOT_FOUND', `the result has no page ${uri.page}`);
  return text;
}
