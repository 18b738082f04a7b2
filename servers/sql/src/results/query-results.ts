import { Result } from '@org/mcp-decorators';

import type { Export, ExportAnswer } from '../operations/export.ts';
import type { QueryResult } from '../operations/query.ts';
import type { RowsAnswer, RowsPage } from '../operations/rows-page.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { rowsResult } from './rows-result.ts';

/** The rows as text between fences, and what a reader has to know about them. */
export function queryResult(answer: RowsAnswer<QueryResult>): Result {
  return rowsResult(answer, (found, body) => {
    const { truncated, notices = [] } = found;
    const more = truncated === undefined ? [] : [nextNote(found) ?? MORE[truncated]];
    return [...body, ...countOf(found), ...more, ...notices.map(oneLine)];
  });
}

/** As that of a query. */
export function fetchedResult(answer: RowsAnswer<RowsPage>): Result {
  return rowsResult(answer, (found, body) => {
    const { next_offset, truncated } = found;
    const next = next_offset === undefined ? ALONE : `the next page begins at offset ${next_offset}`;
    return [...body, ...countOf(found), ...(truncated === undefined ? [] : [next])];
  });
}

/** Says how to read the rows that a page lacks; returns `undefined` if no handle has them. */
export function nextNote({ row_count, handle }: Pick<RowsPage, 'row_count' | 'handle'>): string | undefined {
  if (row_count === 0) return handle === undefined ? ALONE : `${ALONE} by handle ${handle}`;
  return handle === undefined ? undefined : `fetch_result reads on from offset ${row_count} of handle ${handle}`;
}

/** What was written, and a link to it. */
export function exportResult({ result, name, mimeType }: ExportAnswer): Result {
  const { uri, bytes, rows } = result;
  return Result.of(result, exportText(result), { links: [{ uri, name, mimeType, size: bytes, description: rowsText(rows) }] });
}

function exportText({ uri, bytes, rows, sha256, expires_at }: Export): string {
  return `${rowsText(rows)}, ${bytes} bytes: ${uri}\nsha256 ${sha256}\nthere until ${expires_at}, unless it is used`;
}

function countOf({ row_count, total_rows, truncated, truncated_values }: RowsPage): readonly string[] {
  const of = total_rows === undefined ? '' : ` of ${total_rows}`;
  return [`${rowsText(row_count)}${of}${truncated === undefined ? '' : ', and there are more'}`, ...cutNote(truncated_values)];
}

/** Says that values are cut. */
export function cutNote(values: number | undefined): readonly string[] {
  if (values === undefined) return [];
  return [
    `${values} long ${values === 1 ? 'value was' : 'values were'} cut; select a part of ${values === 1 ? 'it' : 'them'} with substr`,
  ];
}

const ALONE = 'the next row alone is too long for a result: select fewer columns, or export the rows';

const MORE = {
  rows: 'max_rows left them out: raise it, or use keep and fetch_result',
  bytes: 'an answer has no room for them: select fewer columns, or use keep and fetch_result',
} as const;
