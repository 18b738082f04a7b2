import type { Row } from './format.ts';
import { Page } from './page.ts';

/**
 * Puts text between fences that are longer than any run of backticks in the text, so that a reader can distinguish data from
 * instructions.
 */
export function fenced(text: string, language: string): string {
  const runs = text.includes('`') ? Array.from(text.matchAll(/`+/g), ([run]) => run.length) : [];
  const longest = Math.max(2, ...runs);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Puts formatted rows between fences; Markdown gets no language. */
export function fencedRows(text: string, format: string): string {
  return fenced(text, format === 'markdown' ? '' : format);
}

/** Writes rows as CSV between fences. Values are cut to 4 KiB. */
export function fencedTable(columns: readonly string[], rows: readonly Row[]): string {
  const page = new Page({ maxRows: rows.length, maxBytes: Infinity, format: 'csv', keepRows: false });
  for (const row of rows) page.add(row);
  return fenced(page.text(columns), 'csv');
}
