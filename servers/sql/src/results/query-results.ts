import { Result } from '@org/mcp-decorators';

import type { Export, ExportAnswer } from '../operations/export.ts';
import type { QueryResult } from '../operations/query.ts';
import type { RowsAnswer, RowsPage } from '../operations/rows-page.ts';
import { fencedRows } from '../rows/fenced.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { bodyResult } from './body-result.ts';

/** Whether a caller wants everything as structured content. */
interface Form {
  readonly structured: boolean;
}

/** The rows as text between fences, and what a reader has to know about them. */
export function queryResult({ result, text, format }: RowsAnswer<QueryResult>, form: Form): Result {
  const { truncated, handle, notices = [] } = result;
  const next = handle === undefined ? undefined : `fetch_result reads on from offset ${result.row_count} of handle ${handle}`;
  const more = truncated === undefined ? [] : [next ?? MORE[truncated]];
  return bodyResult(result, [fencedRows(text, format), ...countOf(result), ...more, ...notices.map(oneLine)].join('\n'), form);
}

/** As that of a query. */
export function fetchedResult({ result, text, format }: RowsAnswer<RowsPage>, form: Form): Result {
  const { next_offset, row_count } = result;
  const more = next_offset === undefined ? [] : [row_count === 0 ? ALONE : `the next page begins at offset ${next_offset}`];
  return bodyResult(result, [fencedRows(text, format), ...countOf(result), ...more].join('\n'), form);
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

const ALONE = 'the next row alone is too long for an answer: select fewer columns, or export the result';

const MORE = {
  rows: 'max_rows left them out: raise it, or use keep and fetch_result',
  bytes: 'an answer has no room for them: select fewer columns, or use keep and fetch_result',
} as const;
