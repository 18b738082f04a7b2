import { Result } from '@org/mcp-decorators';

import type { QueryAnswer, QueryResult } from '../operations/query.ts';
import type { FormatName } from '../rows/format.ts';

/** The rows once, as text between fences, and what a reader has to know of them. */
export function queryResult({ result, text, format }: QueryAnswer): Result {
  return Result.of(result, [fenced(text, format), ...notesOf(result)].join('\n'));
}

/** What stands between the fences is data; a longer fence than any in it keeps it there. */
export function fenced(text: string, format: FormatName): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${format === 'markdown' ? '' : format}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
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
