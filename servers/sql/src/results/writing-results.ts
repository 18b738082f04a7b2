import { Result } from '@org/mcp-decorators';

import type { ExecuteAnswer } from '../operations/execute.ts';
import type { ImportedRows } from '../operations/import-rows.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { cutNote } from './query-results.ts';
import { rowsResult } from './rows-result.ts';

/** What was done, and the rows that came of it. */
export function executedResult(answer: ExecuteAnswer): Result {
  return rowsResult(answer, ({ command, affected, returning, notices = [] }, body) => [
    `${command}${affected === undefined ? '' : `: ${rowsText(affected)}`}, committed`,
    ...body,
    ...(returning?.truncated === undefined ? [] : [`${returning.row_count} of them are shown`]),
    ...cutNote(returning?.truncated_values),
    ...notices.map(oneLine),
  ]);
}

export function importedResult(imported: ImportedRows): Result {
  const { table, rows } = imported;
  return Result.text(`${rowsText(rows)} added to ${oneLine(table)}, committed`, { facts: { ...imported } });
}
