import { placesOf, textOf, type Hunk, type PlaceForm } from './diff-places.ts';

/** The difference of two texts in the form of `diff -u`. */
export interface TextDiff {
  readonly text: string;
  readonly hunks: number;
  /** Changed places: each has a line `@@` of its own in `text` if it is shown. */
  readonly places: number;
  readonly shownPlaces: number;
  /** Places are left out, or long lines are shortened. */
  readonly truncated: boolean;
}

/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Milliseconds, and changed lines, after which the smallest difference is not looked for any more. */
const TIMEOUT = 500;
const MOST_CHANGED = 5000;

/** Forms of a difference that is too large, from the one that shows most of a place. */
const FORMS: readonly PlaceForm[] = [
  { maxLines: 20, maxLength: 400, hasContext: true },
  { maxLines: 1, maxLength: 100, hasContext: false },
];

/**
 * The smallest difference of two texts, by lines; line ends are not shown.
 *
 * @param maxBytes of the text; a larger difference is cut between changed places, and shows at least one
 */
export async function textDiff(before: string, after: string, maxBytes: number): Promise<TextDiff> {
  const old = linesOf(before);
  const changed = linesOf(after);
  // What is the same at both ends need not be compared; it is most of a file.
  const start = Math.max(0, commonStart(old, changed) - CONTEXT);
  const end = Math.max(0, commonEnd(old, changed, start) - CONTEXT);
  const found = await hunksOf(old.slice(start, old.length - end), changed.slice(start, changed.length - end));
  const hunks = found.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + start,
    newStart: newStart + start,
    lines: lines.map((line) => line.replace(/\r$/, '')),
  }));
  return { ...fittingPlaces(hunks, maxBytes), hunks: hunks.length };
}

async function hunksOf(old: readonly string[], changed: readonly string[]): Promise<readonly Hunk[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT, timeout: TIMEOUT, maxEditLength: MOST_CHANGED };
  const patch = structuredPatch('', '', old.join(''), changed.join(''), undefined, undefined, options);
  if (patch !== undefined) return patch.hunks;
  const lines = [...old.map((line) => `-${line}`), ...changed.map((line) => `+${line}`)].map((line) => line.replace(/\n$/, ''));
  return [{ oldStart: 1, newStart: 1, lines }];
}

/** Lines with their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[count] === other[count]) count += 1;
  return count;
}

function commonEnd(one: readonly string[], other: readonly string[], start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < most && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function fittingPlaces(hunks: readonly Hunk[], maxBytes: number): Omit<TextDiff, 'hunks'> {
  const whole = hunks.map(textOf);
  if (fittingCount(whole, maxBytes) === whole.length)
    return { text: whole.join('\n'), places: whole.length, shownPlaces: whole.length, truncated: false };
  let places: readonly string[] = whole;
  let shownPlaces = 0;
  for (const form of FORMS) {
    places = hunks.flatMap((hunk) => placesOf(hunk, form)).map(textOf);
    shownPlaces = fittingCount(places, maxBytes);
    if (shownPlaces > 0) break;
  }
  shownPlaces = Math.max(1, shownPlaces);
  return { text: places.slice(0, shownPlaces).join('\n'), places: places.length, shownPlaces, truncated: true };
}

/** Returns how many of the first texts fit. */
function fittingCount(texts: readonly string[], maxBytes: number): number {
  let length = 0;
  const end = texts.findIndex((text) => (length += Buffer.byteLength(text) + 1) > maxBytes);
  return end === -1 ? texts.length : end;
}
