/** What stands between the first of one text and the next of another; linear, which an expression with `.*` is not. */
export function between(text: string, before: string, after: string): string | undefined {
  const found = text.indexOf(before);
  const start = found + before.length;
  const end = found === -1 ? -1 : text.indexOf(after, start);
  return end === -1 ? undefined : text.slice(start, end);
}
