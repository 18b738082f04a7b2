import { Result } from '@org/mcp-decorators';

import type { QueryAnswer, QueryResult } from '../operations/query.ts';
import { fenced } from '../rows/fenced.ts';

/** The rows once, as text between fences, and what a reader has to know of them. */
export function queryResult({ result, text, format }: QueryAnswer): Result {
  return Result.of(result, [fenced(text, format === 'markdown' ? '' : format), ...notesOf(result)].join('\n'));
}

function notesOf({ row_count, truncated, truncated_values, notices = [] }: QueryResult): readonly string[] {
  const rows = `${row_count} ${row_count === 1 ? 'row' : 'rows'}`;
  return [
    truncated === undefined ? rows : `${rows}, and more that ${MORE[truncated]}`,
    ...(truncated_values === undefined ? [] : [`${truncated_values} long values were cut; select a part of them with substr`]),
    ...notices,
  ];
}

const MORE = {
  rows: 'max_rows left out: raise it, or page with ORDER BY and a WHERE on the last value seen',
  bytes: 'max_bytes left out: raise it, or select fewer columns',
} as const;
