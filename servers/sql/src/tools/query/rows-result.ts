import { Result } from '@org/mcp-decorators';
import { getUsableResultBytes } from '@org/mcp-host';

import type { ResultColumn } from '../../engine/reading.ts';
import { fencedRows } from '../../rows/fenced.ts';
import type { Row } from '../../rows/format.ts';
import { rowsText } from '../../rows/size-text.ts';
import { MAX_VIEWED_BYTES, type RowsAnswer, type RowsPage } from './rows-page.ts';

/** Number of bytes that an empty list `rows` adds to structured content. */
const NO_ROWS = ',"rows":[]'.length;

/**
 * Returns rows as text with facts about them in `_meta`, or with structured content on request. Text, structured content and
 * `_meta` each have at most `maxBytes` bytes: the page becomes shorter until all three fit, or until it cannot become shorter.
 *
 * @param write returns the lines of the text
 */
export function createRowsResult<Found extends object>(
  answer: RowsAnswer<Found>,
  write: (facts: Found, body: readonly string[]) => readonly string[],
): Result {
  for (;;) {
    const result = buildResult(answer, write);
    const excess = measureLargestPart(result) - answer.maxBytes;
    if (excess <= 0 || !answer.page.shrink(excess)) return result;
  }
}

function buildResult<Found extends object>(
  answer: RowsAnswer<Found>,
  write: (facts: Found, body: readonly string[]) => readonly string[],
): Result {
  const { columns, format, maxBytes, page, structured } = answer;
  const body = columns.length === 0 ? [] : [fencedRows(page.text(columns.map(({ name }) => name)), format)];
  const facts = answer.facts({ columns: true, rows: false });
  const lines = write(facts, body);
  const haveRoom = measureJson(facts) + NO_ROWS <= maxBytes;
  const forView = (): object => viewRows(answer);
  if (structured && haveRoom) return Result.of(answer.facts({ columns: true, rows: true }), lines.join('\n'), { forView });
  // `_meta` has less room, because protocol revision 2026-07-28 adds the server's name, title and version to `_meta`.
  const sent: object =
    measureJson(facts) <= getUsableResultBytes(maxBytes) ? facts : answer.facts({ columns: false, rows: false });
  return Result.text([...lines, ...(structured ? [NOT_STRUCTURED] : [])].join('\n'), { facts: { ...sent }, forView });
}

/** The columns of a page and its rows, for the view of the result. */
export interface ViewedRows {
  readonly columns: readonly ResultColumn[];
  /** Each value is text as the database formats it, or null. Absent if the rows have more than `MAX_VIEWED_BYTES` bytes. */
  readonly rows?: readonly Row[];
}

function viewRows<Found extends object>({ page, columns }: RowsAnswer<Found>): ViewedRows {
  return { columns, ...(page.bytes <= MAX_VIEWED_BYTES && { rows: page.rows }) };
}

function measureLargestPart({ texts, structured, facts }: Result): number {
  const json = [structured, facts].map((part) => (part === undefined ? 0 : measureJson(part)));
  return Math.max(...texts.map((text) => Buffer.byteLength(text)), ...json);
}

function measureJson(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const NOT_STRUCTURED = 'structured content is missing: the columns alone are too long for a result; select fewer columns';

/** Writes how many rows a page shows, whether more rows exist, and how many values are cut. */
export function noteCounts({ row_count, total_rows, truncated, truncated_values }: RowsPage): readonly string[] {
  const of = total_rows === undefined ? '' : ` of ${total_rows}`;
  return [
    `${rowsText(row_count)}${of}${truncated === undefined ? '' : ', and more rows exist'}`,
    ...noteCutValues(truncated_values),
  ];
}

/** Writes how to read values that are cut; empty if no value is cut. */
export function noteCutValues(values: number | undefined): readonly string[] {
  if (values === undefined) return [];
  return [
    `${values} long ${values === 1 ? 'value was' : 'values were'} cut; select a part of ${values === 1 ? 'it' : 'them'} with substr`,
  ];
}

/** Writes how to read the rows that a page lacks. Returns `undefined` if the page has rows, but no handle for stored rows. */
export function noteMissingRows({ row_count, handle }: Pick<RowsPage, 'row_count' | 'handle'>): string | undefined {
  if (row_count === 0) return handle === undefined ? ROW_TOO_LONG : `${ROW_TOO_LONG} by handle ${handle}`;
  return handle === undefined ? undefined : `fetch_result continues at offset ${row_count} of handle ${handle}`;
}

/** The note of a page without rows, whose next row exceeds the limit of a result. */
export const ROW_TOO_LONG = 'the next row alone is too long for a result: select fewer columns, or export the rows';
