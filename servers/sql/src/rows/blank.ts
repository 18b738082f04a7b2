/**
 * Whitespace of SQL. JavaScript's `\s` and `trim` also match U+00A0, U+FEFF and more than a dozen other characters. In SQL, these
 * characters are letters of a name, so a text without them is another statement.
 */
const BLANKS = ' \t\n\r\f\v';

/** Whether a text contains only whitespace of SQL. */
export function isBlank(text: string): boolean {
  return trimBlanks(text) === '';
}

/** Trims a text for display. SQL that is sent is never trimmed. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
