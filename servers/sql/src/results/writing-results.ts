import { Result } from '@org/mcp-decorators';

import type { ExecuteAnswer } from '../operations/execute.ts';
import type { ImportedRows } from '../operations/import-rows.ts';
import { fencedRows } from '../rows/fenced.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';
import { bodyResult } from './body-result.ts';
import { cutNote } from './query-results.ts';

/** What was done, and the rows that came of it. */
export function executedResult({ result, text, format }: ExecuteAnswer, structured: boolean): Result {
  const { command, affected, returning, notices = [] } = result;
  const rows = affected === undefined ? '' : `: ${rowsText(affected)}`;
  const lines = [
    `${command}${rows}, committed`,
    ...(text === '' ? [] : [fencedRows(text, format)]),
    ...(returning?.truncated === undefined ? [] : [`${returning.row_count} of them are shown`]),
    ...cutNote(returning?.truncated_values),
    ...notices.map(oneLine),
  ];
  return bodyResult(result, lines.join('\n'), { structured });
}

export function importedResult(imported: ImportedRows): Result {
  const { table, rows } = imported;
  return Result.text(`${rowsText(rows)} added to ${oneLine(table)}, committed`, { facts: { ...imported } });
}
