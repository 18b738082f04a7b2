import { Result } from '@org/mcp-decorators';

import type { ExecuteAnswer } from '../operations/execute.ts';
import type { ImportedRows } from '../operations/import-rows.ts';
import { fencedRows } from '../rows/fenced.ts';
import { oneLine } from '../rows/shown-value.ts';
import { rowsText } from '../rows/size-text.ts';

/** What was done, and the rows that came of it. */
export function executedResult({ result, text, format }: ExecuteAnswer): Result {
  const { command = '', affected, returning, notices = [] } = result;
  const rows = affected === undefined ? '' : `: ${rowsText(affected)}`;
  return Result.of(
    result,
    [
      `${command}${rows}, committed`,
      ...(text === '' ? [] : [fencedRows(text, format)]),
      ...(returning?.truncated === undefined ? [] : [`${returning.row_count} of them are shown`]),
      ...notices.map(oneLine),
    ].join('\n'),
  );
}

export function importedResult(imported: ImportedRows): Result {
  const { table = '', rows = 0 } = imported;
  return Result.of(imported, `${rowsText(rows)} added to ${oneLine(table)}, committed`);
}
