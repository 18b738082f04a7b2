/** Maximum length of a name with its schema and the arguments of a function. The limit bounds the time of a search for similar names. */
export const MAX_OBJECT_NAME = 1000;

/** A name in the syntax of SQL: `orders`, `shop.orders`, `"Sales"."Q1 orders"`, `shop.total(integer)`. */
export interface ObjectName {
  readonly schema: string | undefined;
  readonly name: string;
  /** Complete text with the argument types, such as `shop.total(integer)`. Absent if the text contains no argument types. */
  readonly signature?: string | undefined;
  /** Kind that the object must have. Absent if any kind is possible. */
  readonly of?: 'schema' | 'relation' | undefined;
}

/** The parts of a name, and the position at which they end. */
interface NameParts {
  readonly parts: readonly string[];
  readonly end: number;
}

/** Characters that end an unquoted part. In a signature, the parenthesis before the arguments ends the name. */
const ENDS = '."';
const SIGNATURE_ENDS = '."(';

/**
 * Parses a name. The last part is the object, the part before is the schema. The time grows linearly with the length of the text,
 * which a regular expression for quoted names would not guarantee.
 */
export function parseObjectName(text: string): ObjectName {
  const whole = text.trim();
  const called = whole.endsWith(')') ? parseParts(whole, SIGNATURE_ENDS) : undefined;
  const isSignature = called !== undefined && called.end > 0 && called.end < whole.length;
  const { parts } = isSignature ? called : parseParts(whole, ENDS);
  return { schema: parts.at(-2), name: parts.at(-1) ?? '', ...(isSignature && { signature: whole }) };
}

function parseParts(text: string, ends: string): NameParts {
  const parts: string[] = [];
  let position = 0;
  while (position < text.length && (text[position] !== '(' || !ends.includes('('))) {
    const isQuoted = text[position] === '"';
    const end = isQuoted ? findClosingQuote(text, position + 1) : findPlainEnd(text, position, ends);
    const part = isQuoted ? text.slice(position + 1, end).replaceAll('""', '"') : text.slice(position, end).trim();
    if (part !== '') parts.push(part);
    position = isQuoted || text[end] === '.' ? end + 1 : end;
  }
  return { parts, end: position };
}

/** Returns the position of the first quote that is not doubled, or the end of the text. */
function findClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end === -1 ? text.length : end;
}

function findPlainEnd(text: string, start: number, ends: string): number {
  let end = start;
  while (end < text.length && !ends.includes(text[end] ?? '')) end += 1;
  return end;
}

/**
 * Puts a name in double quotes, as SQL does. A name that begins with a lower-case ASCII letter or `_` gets no quotes if it
 * contains only lower-case ASCII letters, digits, `_` and `$`. Such a name is not quoted even if it is a keyword. In a quoted
 * name, line breaks become spaces.
 */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""').replaceAll(/[\n\r]/g, ' ')}"`;
}
