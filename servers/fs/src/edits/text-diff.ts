/** The difference between two texts, in the format of `diff -u`. */
export interface TextDiff {
  readonly text: string;
  readonly hunks: number;
  /** Number of changed places: hunks, or parts of hunks if `truncated`. Each shown place has its own `@@` line in `text`. */
  readonly places: number;
  readonly shownPlaces: number;
  /** Whether places or lines were omitted, or long lines were shortened. */
  readonly truncated: boolean;
}

/** Maximum number of unchanged lines that are shown before and after a change. */
const CONTEXT = 3;
/** Time limit in milliseconds of the search for the smallest difference. */
const TIMEOUT = 500;
/** Maximum number of changed lines in the search for the smallest difference. */
const MAX_CHANGED = 5000;

/**
 * Forms of a difference that is too large, the most detailed first. A later form is used only if no place fits in the form
 * before.
 */
const FORMS: readonly PlaceForm[] = [
  { maxLines: 20, maxLength: 400, hasContext: true },
  { maxLines: 1, maxLength: 100, hasContext: false },
];

/**
 * Computes the difference between two texts by lines. Line endings are compared, but CR is not shown.
 *
 * @param maxBytes maximum number of bytes; a larger difference is cut between changed places, but contains at least one place
 */
export async function createTextDiff(before: string, after: string, maxBytes: number): Promise<TextDiff> {
  const hunks = await findHunks(splitLines(before), splitLines(after));
  return { ...selectFittingPlaces(hunks, maxBytes), hunks: hunks.length };
}

/**
 * Computes the smallest difference between two lists of lines with their line endings. The lines of the hunks have no line
 * endings. If the search exceeds {@link TIMEOUT} or {@link MAX_CHANGED}, one hunk replaces all compared lines.
 */
export async function findHunks(old: readonly string[], changed: readonly string[]): Promise<readonly Hunk[]> {
  // Equal lines at both ends, usually most of a file, are not compared.
  const start = Math.max(0, countCommonStart(old, changed) - CONTEXT);
  const end = Math.max(0, countCommonEnd(old, changed, start) - CONTEXT);
  const found = await compareLines(old.slice(start, old.length - end), changed.slice(start, changed.length - end));
  return found.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + start,
    newStart: newStart + start,
    lines: lines.map((line) => line.replace(/\r$/, '')),
  }));
}

async function compareLines(old: readonly string[], changed: readonly string[]): Promise<readonly Hunk[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT, timeout: TIMEOUT, maxEditLength: MAX_CHANGED };
  const patch = structuredPatch('', '', old.join(''), changed.join(''), undefined, undefined, options);
  if (patch !== undefined) return patch.hunks;
  const lines = [...old.map((line) => `-${line}`), ...changed.map((line) => `+${line}`)].map((line) => line.replace(/\n$/, ''));
  return [{ oldStart: 1, newStart: 1, lines }];
}

/** Returns the lines with their line endings. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countCommonStart(one: readonly string[], other: readonly string[]): number {
  const limit = Math.min(one.length, other.length);
  let count = 0;
  while (count < limit && one[count] === other[count]) count += 1;
  return count;
}

function countCommonEnd(one: readonly string[], other: readonly string[], start: number): number {
  const limit = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < limit && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

function selectFittingPlaces(hunks: readonly Hunk[], maxBytes: number): Omit<TextDiff, 'hunks'> {
  const whole = hunks.map(formatHunk);
  if (countFitting(whole, maxBytes) === whole.length)
    return { text: whole.join('\n'), places: whole.length, shownPlaces: whole.length, truncated: false };
  let places: readonly string[] = whole;
  let shownPlaces = 0;
  for (const form of FORMS) {
    places = hunks.flatMap((hunk) => splitHunk(hunk, form)).map(formatHunk);
    shownPlaces = countFitting(places, maxBytes);
    if (shownPlaces > 0) break;
  }
  shownPlaces = Math.max(1, shownPlaces);
  return { text: places.slice(0, shownPlaces).join('\n'), places: places.length, shownPlaces, truncated: true };
}

/** Returns how many texts, from the first one on, fit into `maxBytes`. */
function countFitting(texts: readonly string[], maxBytes: number): number {
  let length = 0;
  const end = texts.findIndex((text) => (length += Buffer.byteLength(text) + 1) > maxBytes);
  return end === -1 ? texts.length : end;
}

/** Changed lines with context. `oldStart` and `newStart` are the numbers of the first line in the old and new text, from 1. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /**
   * Lines of the hunk. Each line begins with a space, `-`, `+` or `\`. A line that begins with `\` is a comment on the line
   * before it.
   */
  readonly lines: readonly string[];
}

/** How a changed place is shown. */
interface PlaceForm {
  /** Maximum number of removed and of added lines of one place. */
  readonly maxLines: number;
  /** Maximum number of characters of a shown line; a longer line is reduced to the part around its first difference. */
  readonly maxLength: number;
  readonly hasContext: boolean;
}

interface Block {
  readonly context: string[];
  readonly removed: string[];
  readonly added: string[];
}

/** Splits a hunk into places. Each place contains at most `maxLines` removed lines, and at most `maxLines` added lines. */
function splitHunk({ oldStart, newStart, lines }: Hunk, form: PlaceForm): readonly Hunk[] {
  const places: Hunk[] = [];
  let oldLine = oldStart;
  let newLine = newStart;
  for (const { context, removed, added } of splitBlocks(lines)) {
    const shown = form.hasContext ? context : [];
    const start = { oldStart: oldLine + context.length - shown.length, newStart: newLine + context.length - shown.length };
    places.push(...splitBlock({ context: shown, removed, added }, start, form));
    oldLine += context.length + removed.length;
    newLine += context.length + added.length;
  }
  return places;
}

/** Formats a hunk like `diff -u`. */
function formatHunk({ oldStart, newStart, lines }: Hunk): string {
  const count = (other: string): number => lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length;
  return [`@@ -${oldStart},${count('+')} +${newStart},${count('-')} @@`, ...lines].join('\n');
}

/** Splits the lines of a hunk into blocks of context and changed lines. Omits the lines after the last change. */
function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block = { context: [], removed: [], added: [] };
  for (const line of lines) {
    if (line.startsWith('\\')) continue;
    const isOver = block.added.length > 0 || (block.removed.length > 0 && !line.startsWith('+'));
    if (isOver && line.startsWith(' ')) {
      blocks.push(block);
      block = { context: [], removed: [], added: [] };
    }
    selectList(block, line).push(line);
  }
  return block.removed.length + block.added.length > 0 ? [...blocks, block] : blocks;
}

function selectList({ context, removed, added }: Block, line: string): string[] {
  if (line.startsWith('-')) return removed;
  return line.startsWith('+') ? added : context;
}

function splitBlock(
  { context, removed, added }: Block,
  { oldStart, newStart }: Omit<Hunk, 'lines'>,
  { maxLines, maxLength }: PlaceForm,
): readonly Hunk[] {
  const pieces: Hunk[] = [];
  for (let index = 0; index < Math.max(removed.length, added.length); index += maxLines) {
    const old = removed.slice(index, index + maxLines);
    const changed = added.slice(index, index + maxLines);
    const before = index === 0 ? context : [];
    const skipped = (list: readonly string[]): number => (index === 0 ? 0 : context.length + Math.min(index, list.length));
    pieces.push({
      oldStart: oldStart + skipped(removed),
      newStart: newStart + skipped(added),
      lines: [
        ...before.map((line) => excerpt(line, '', maxLength)),
        ...old.map((line, at) => excerpt(line, changed[at] ?? '', maxLength)),
        ...changed.map((line, at) => excerpt(line, old[at] ?? '', maxLength)),
      ],
    });
  }
  return pieces;
}

/**
 * Returns a line as it is if it has at most `maxLength` characters. Otherwise, returns the sign of the line and the part around
 * its first difference from the other line.
 */
function excerpt(line: string, other: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  let same = 1;
  while (same < other.length && line[same] === other[same]) same += 1;
  const wanted = other === '' ? 1 : same - Math.floor(maxLength / 4);
  const from = alignToCharacter(line, Math.max(1, Math.min(wanted, line.length - maxLength)));
  const end = alignToCharacter(line, Math.min(line.length, from + maxLength));
  return `${line[0]}${from > 1 ? '…' : ''}${line.slice(from, end)}${end < line.length ? '…' : ''}`;
}

/** Returns the position, or the position before if this position would split a surrogate pair. */
function alignToCharacter(text: string, position: number): number {
  const isLow = (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(position - 1) & 0xfc00) === 0xd800 ? position - 1 : position;
}
