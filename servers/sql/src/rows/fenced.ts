/** Text between fences: what stands there is data. A longer fence than any in it keeps it there. */
export function fenced(text: string, language: string): string {
  const runs = text.includes('`') ? Array.from(text.matchAll(/`+/g), ([run]) => run.length) : [];
  const longest = Math.max(2, ...runs);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Rows that were written in a format; what is Markdown needs no language. */
export function fencedRows(text: string, format: string): string {
  return fenced(text, format === 'markdown' ? '' : format);
}
