import { Field, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { Matches } from 'class-validator';

import { fillPage, keptResult } from '../operations/fetch-result.ts';
import { Page } from '../rows/page.ts';
import type { Spool } from '../spool/spool.ts';

export const RESULT_URI = 'pgresult://{handle}/{page}';

const PAGE_ROWS = 1000;
const PAGE_BYTES = 8_388_608;

/** The variables of `RESULT_URI`, decoded. */
export class ResultUri {
  @Text('Of a query with keep') handle!: string;

  @Field('From 1 on; a page has 1,000 rows')
  @Matches(/^[1-9]\d{0,8}$/)
  page!: string;
}

/** A page as CSV. @throws ToolError HANDLE_EXPIRED, NOT_FOUND, TOO_LARGE, IO, and what the statement failed with */
export async function readResultPage(spool: Spool, uri: ResultUri, context: RequestContext): Promise<string> {
  const kept = keptResult(spool, { handle: uri.handle }, context);
  const page = new Page({ maxRows: PAGE_ROWS, maxBytes: PAGE_BYTES, format: 'csv', keepRows: false });
  const offset = (Number(uri.page) - 1) * PAGE_ROWS;
  await fillPage(page, kept.from(offset, context.signal));
  const text = page.text(kept.fields.map(({ name }) => name));
  if (page.truncated === 'bytes')
    throw new ToolError('TOO_LARGE', `page ${uri.page} is longer than ${PAGE_BYTES} bytes`, {
      hint: `read it with fetch_result from offset ${offset} on`,
    });
  if (page.count === 0 && offset > 0) throw new ToolError('NOT_FOUND', `the result has no page ${uri.page}`);
  return text;
}
