/** Returns the whole lines that fit into `maxBytes`. If the first line does not fit, returns the beginning of that line. */
export function cutLines(text: string, maxBytes: number): { readonly text: string; readonly truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  const end = bytes.lastIndexOf('\n', maxBytes - 1) + 1;
  return { text: new TextDecoder().decode(bytes.subarray(0, end === 0 ? maxBytes : end), { stream: true }), truncated: true };
}

/** Maximum number of UTF-16 units of a subject in a list, because a subject may have any length. */
const MAX_SUBJECT = 1000;

/** Truncates a subject for a list. */
export function cutSubject(subject: string): string {
  if (subject.length <= MAX_SUBJECT) return subject;
  // The cut may split a surrogate pair, so a remaining first half is removed.
  return `${subject.slice(0, MAX_SUBJECT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Removes all occurrences of a character at the end of a text. Takes linear time, unlike `/x+$/`. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/**
 * Returns the text between the first occurrence of `before` and the next occurrence of `after`, or `undefined` if one of the two
 * does not occur. Takes linear time, unlike an expression with `.*`.
 */
export function textBetween(text: string, before: string, after: string): string | undefined {
  const found = text.indexOf(before);
  const start = found + before.length;
  const end = found === -1 ? -1 : text.indexOf(after, start);
  return end === -1 ? undefined : text.slice(start, end);
}
