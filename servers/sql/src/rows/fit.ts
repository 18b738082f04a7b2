import { prefix } from './shown-value.ts';

/** Fraction of a text or list that each step of shortening keeps. */
const STEP = 0.8;
/** `shortenParts` does not shorten a text with at most this number of characters. */
const MIN_TEXT = 200;

/**
 * Writes items as text. Drops items from the end until the JSON of the text has at most `maxBytes` bytes. The first item is not
 * dropped, but its text may be cut.
 */
export function writeThatFit<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => string,
  maxBytes: number,
): { readonly text: string; readonly count: number; readonly isCut: boolean } {
  let shown = items;
  let text = write(shown);
  while (jsonBytes(text) > maxBytes && shown.length > 1) {
    shown = shown.slice(0, Math.floor(shown.length * STEP));
    text = write(shown);
  }
  const cut = cutText(text, maxBytes);
  return { text: cut, count: shown.length, isCut: cut !== text };
}

/**
 * Cuts a text whose JSON has more than `maxBytes` bytes, and appends the original size of the text. With this note, the JSON may
 * exceed `maxBytes`.
 */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  let kept = text;
  while (jsonBytes(kept) > maxBytes) kept = prefix(kept, Math.floor(Buffer.byteLength(kept) * STEP));
  return kept === text ? text : `${kept}… [cut from ${bytes} bytes]`;
}

/**
 * Shortens the longest lists and texts of an object until its JSON has at most `maxBytes` bytes, or until nothing can be
 * shortened further. `truncated` then says how much of each is left, such as `columns: 200 of 1500` or
 * `ddl: 3000 of 57415 characters`, after the entries that `truncated` already has.
 */
export function shortenParts<Whole extends { readonly truncated?: string[] }>(whole: Whole, maxBytes: number): Whole {
  const parts = new Map<string, unknown>(Object.entries(whole));
  const cut = new Set<string>();
  while (jsonBytes(Object.fromEntries(parts)) > maxBytes) {
    const [name, value] = findLongest(parts) ?? [];
    if (name === undefined) break;
    parts.set(name, value?.slice(0, Math.floor(value.length * STEP)));
    cut.add(name);
  }
  if (cut.size === 0) return whole;
  const all = new Map<string, unknown>(Object.entries(whole));
  const truncated = [...cut].map((name) => {
    const [shown, value] = [parts.get(name), all.get(name)] as readonly (string | readonly unknown[])[];
    if (typeof shown === 'string') parts.set(name, `${shown}… [cut]`);
    return `${name}: ${shown?.length} of ${value?.length}${typeof shown === 'string' ? ' characters' : ''}`;
  });
  return { ...whole, ...Object.fromEntries(parts), truncated: [...(whole.truncated ?? []), ...truncated] };
}

/**
 * Returns the list or text with the longest JSON among those that can be shortened. Returns `undefined` if no list or text can be
 * shortened.
 */
function findLongest(parts: ReadonlyMap<string, unknown>): readonly [string, string | readonly unknown[]] | undefined {
  let longest: readonly [string, string | readonly unknown[]] | undefined;
  let most = 0;
  for (const [name, value] of parts) {
    if (!isShortenable(value)) continue;
    const bytes = jsonBytes(value);
    if (bytes > most) [longest, most] = [[name, value], bytes];
  }
  return longest;
}

function isShortenable(value: unknown): value is string | readonly unknown[] {
  return (Array.isArray(value) && value.length > 1) || (typeof value === 'string' && value.length > MIN_TEXT);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const MAX_SHOWN = 200;

/** Truncates a text to 200 characters and appends its full length. */
export function shortText(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… [${text.length} characters]` : text;
}
