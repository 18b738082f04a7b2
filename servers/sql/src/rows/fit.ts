import { prefix } from './shown-value.ts';

/** Each step keeps this part of what is too long. */
const STEP = 0.8;
/** Shorter texts are not cut. */
const MIN_TEXT = 200;

/** Writes as many items, from the first one, as fit into `maxBytes` bytes, and one at least. */
export function writeThatFit<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => string,
  maxBytes: number,
): { readonly text: string; readonly count: number } {
  let shown = items;
  let text = write(shown);
  while (jsonBytes(text) > maxBytes && shown.length > 1) {
    shown = shown.slice(0, Math.floor(shown.length * STEP));
    text = write(shown);
  }
  return { text: cutText(text, maxBytes), count: shown.length };
}

/** Cuts a text whose JSON has more than `maxBytes` bytes; its end says so. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  let kept = text;
  while (jsonBytes(kept) > maxBytes) kept = prefix(kept, Math.floor(Buffer.byteLength(kept) * STEP));
  return kept === text ? text : `${kept}… [cut: ${bytes} bytes]`;
}

/** Shortens the longest lists and texts of an object until its JSON has at most `maxBytes` bytes; `truncated` then says so. */
export function shortened<Whole extends object>(whole: Whole, maxBytes: number): Whole & { truncated?: boolean } {
  const parts = new Map<string, unknown>(Object.entries(whole));
  const cut = new Set<string>();
  while (jsonBytes(Object.fromEntries(parts)) > maxBytes) {
    const [name, value] = longestOf(parts) ?? [];
    if (name === undefined) break;
    parts.set(name, value?.slice(0, Math.floor(value.length * STEP)));
    cut.add(name);
  }
  if (cut.size === 0) return whole;
  for (const name of cut) {
    const value = parts.get(name);
    if (typeof value === 'string') parts.set(name, `${value}… [cut]`);
  }
  return { ...whole, ...Object.fromEntries(parts), truncated: true };
}

/** The list or text with the longest JSON, of those that can be shortened. */
function longestOf(parts: ReadonlyMap<string, unknown>): readonly [string, string | readonly unknown[]] | undefined {
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
