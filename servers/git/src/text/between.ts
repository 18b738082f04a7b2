/** Returns the text between the first occurrence of `before` and the next of `after`. Linear, unlike an expression with `.*`. */
export function between(text: string, before: string, after: string): string | undefined {
  const found = text.indexOf(before);
  const start = found + before.length;
  const end = found === -1 ? -1 : text.indexOf(after, start);
  return end === -1 ? undefined : text.slice(start, end);
}
