import { Result } from '@org/mcp-decorators';
import { roomInResult } from '@org/mcp-host';

import type { RowsAnswer } from '../operations/rows-page.ts';
import { fencedRows } from '../rows/fenced.ts';

/** What structured content with rows has more than facts without rows, if there is no row. */
const NO_ROWS = ',"rows":[]'.length;

/**
 * Returns rows as text with facts about them in `_meta`, or with structured content on request. Text, structured content and `_meta`
 * each have at most `maxBytes` bytes: the page becomes shorter until they fit.
 *
 * @param write returns the lines of the text
 */
export function rowsResult<Found extends object>(
  answer: RowsAnswer<Found>,
  write: (facts: Found, body: readonly string[]) => readonly string[],
): Result {
  for (;;) {
    const result = resultOf(answer, write);
    const excess = largestPart(result) - answer.maxBytes;
    if (excess <= 0 || !answer.page.shrink(excess)) return result;
  }
}

function resultOf<Found extends object>(
  answer: RowsAnswer<Found>,
  write: (facts: Found, body: readonly string[]) => readonly string[],
): Result {
  const { columns, format, maxBytes, page, structured } = answer;
  const body = columns.length === 0 ? [] : [fencedRows(page.text(columns.map(({ name }) => name)), format)];
  const facts = answer.facts({ columns: true, rows: false });
  const lines = write(facts, body);
  const haveRoom = jsonBytes(facts) + NO_ROWS <= maxBytes;
  if (structured && haveRoom) return Result.of(answer.facts({ columns: true, rows: true }), lines.join('\n'));
  // Protocol revision 2026-07-28 adds the server's name, title and version to `_meta`.
  const sent: object = jsonBytes(facts) <= roomInResult(maxBytes) ? facts : answer.facts({ columns: false, rows: false });
  return Result.text([...lines, ...(structured ? [NOT_STRUCTURED] : [])].join('\n'), { facts: { ...sent } });
}

function largestPart({ texts, structured, facts }: Result): number {
  const json = [structured, facts].map((part) => (part === undefined ? 0 : jsonBytes(part)));
  return Math.max(...texts.map((text) => Buffer.byteLength(text)), ...json);
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const NOT_STRUCTURED = 'there is no structured content: its columns alone are too long for a result; select fewer columns';
