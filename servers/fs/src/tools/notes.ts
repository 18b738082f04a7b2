/** Joins lines and appends the notes as a last line in brackets, unless no note exists. */
export function withNotes(lines: readonly string[], notes: readonly string[]): string {
  return [...lines, ...(notes.length === 0 ? [] : [`[${notes.join(' ')}]`])].join('\n');
}

/** Formats a number with its noun: `1 match`, `3 matches`. */
export function formatCount(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Returns the instruction to read the next page. */
export function continueWith(cursor: string): string {
  return `continue with cursor ${cursor}`;
}

/** @param count such as `3 matches` */
export function cutNote(count: string, cursor: string | undefined): string {
  const shown = `${count} ${count.startsWith('1 ') ? 'is' : 'are'} shown`;
  if (cursor !== undefined) return `${shown}; ${continueWith(cursor)}.`;
  return `${shown}; the search ended at a limit, so narrow the pattern or the directory.`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns a list with a hint for a search without matches, or an empty list if no entry was ignored. */
export function ignoredHint({ ignored }: { readonly ignored: number }): readonly string[] {
  if (ignored === 0) return [];
  const count = formatCount(ignored, 'ignored file or directory was', 'ignored files or directories were');
  return [`${count} left out, which gitignore: false includes`];
}
