import { Result } from '@org/mcp-decorators';

import type { ExecuteAnswer, ReturnedRows } from '../operations/execute.ts';
import type { ImportedRows } from '../operations/import-rows.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { cutNote, nextNote } from './query-results.ts';
import { rowsResult } from './rows-result.ts';

/** What was done, and the rows that came of it. */
export function executedResult(answer: ExecuteAnswer): Result {
  return rowsResult(answer, ({ command, affected, returning, notices = [] }, body) => [
    `${command}${affected === undefined ? '' : `: ${rowsText(affected)}`}, committed`,
    ...body,
    ...(returning === undefined ? [] : returningNotes(returning)),
    ...notices.map(oneLine),
  ]);
}

function returningNotes(returning: ReturnedRows): readonly string[] {
  const { row_count, total_rows = row_count, truncated, truncated_values, handle } = returning;
  const cut = cutNote(truncated_values);
  if (truncated === undefined)
    return handle === undefined || cut.length === 0 ? cut : [...cut, `export writes all values whole, by handle ${handle}`];
  const rest = handle === undefined ? notKept(total_rows - row_count) : nextNote(returning);
  return [`${row_count} of ${total_rows} returned rows are shown`, ...cut, rest ?? ''];
}

function notKept(rows: number): string {
  return `${rowsText(rows)} could not be kept for fetch_result; read them with query, if the database still has them`;
}

export function importedResult(imported: ImportedRows): Result {
  const { table, rows } = imported;
  return Result.text(`${rowsText(rows)} added to ${oneLine(table)}, committed`, { facts: { ...imported } });
}
