/**
 * The blanks of PostgreSQL's lexer. JavaScript's `\s` and `trim` also match U+00A0, U+FEFF and more than a dozen other characters, which to
 * PostgreSQL are letters of a name: a text from which they were removed is another statement.
 */
const BLANKS = ' \t\n\r\f\v';

/** Whether PostgreSQL finds nothing but blanks in a text. */
export function isBlank(text: string): boolean {
  return withoutBlanks(text) === '';
}

/** A text to be shown, without the blanks at both ends. What is sent is never shortened. */
export function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
