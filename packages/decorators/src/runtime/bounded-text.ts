import type { ToolError } from '../errors.ts';

/** Some hosts cut the middle out of errors of more than 10,000 characters. */
const MOST_CHARACTERS = 8000;
/** The remedy remains readable, however long the message is. */
const MOST_OF_HINT = 2000;
/** Room for the sentence that says what was cut. */
const MARKER = 60;

/** Returns the text of an error, cut to at most 8,000 characters. The hint follows the message that was cut. */
export function boundedText({ text, code, message, hint }: Pick<ToolError, 'text' | 'code' | 'message' | 'hint'>): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const remedy = hint === undefined ? '' : `\n${cut(hint, MOST_OF_HINT)}`;
  return cut(`${code}: ${message}`, MOST_CHARACTERS - remedy.length) + remedy;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // The cut may split a surrogate pair.
  const kept = text.slice(0, most - MARKER).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length - kept.length} more characters were cut]`;
}
