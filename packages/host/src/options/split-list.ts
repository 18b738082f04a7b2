/** Splits a list at its commas, except inside braces: `*.{js,ts}` is one glob. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/[{},]/g)) {
    if (mark === '{') depth += 1;
    else if (mark === '}') depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].filter((part) => part !== '');
}
