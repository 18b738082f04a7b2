/** The difference of two texts as `diff -u` tells it. */
export interface TextDiff {
  readonly text: string;
  readonly hunks: number;
  readonly truncated: boolean;
}

/** Lines around a change that are shown. */
const CONTEXT = 3;
/** Milliseconds, and changed lines, after which the smallest difference is not looked for any more. */
const TIMEOUT = 500;
const MOST_CHANGED = 5000;

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/**
 * The smallest difference of two texts, by lines; line ends are not shown.
 *
 * @param mostShown bytes; a line says how many lines were cut
 */
export async function textDiff(before: string, after: string, mostShown: number): Promise<TextDiff> {
  const old = linesOf(before);
  const changed = linesOf(after);
  // What is the same at both ends need not be compared; it is most of a file.
  const start = Math.max(0, commonStart(old, changed) - CONTEXT);
  const end = Math.max(0, commonEnd(old, changed, start) - CONTEXT);
  const hunks = await hunksOf(old.slice(start, old.length - end), changed.slice(start, changed.length - end));
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    `@@ -${oldStart + start},${oldLines} +${newStart + start},${newLines} @@`,
    ...own.map((line) => line.replace(/\r$/, '')),
  ]);
  return { ...cut(lines, mostShown), hunks: hunks.length };
}

async function hunksOf(old: readonly string[], changed: readonly string[]): Promise<readonly Hunk[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT, timeout: TIMEOUT, maxEditLength: MOST_CHANGED };
  const patch = structuredPatch('', '', old.join(''), changed.join(''), undefined, undefined, options);
  if (patch !== undefined) return patch.hunks;
  const lines = [...old.map((line) => `-${line}`), ...changed.map((line) => `+${line}`)].map((line) => line.replace(/\n$/, ''));
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: changed.length, lines }];
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

function cut(lines: readonly string[], mostShown: number): { readonly text: string; readonly truncated: boolean } {
  let length = 0;
  const shown = lines.findIndex((line) => (length += Buffer.byteLength(line) + 1) > mostShown);
  if (shown === -1) return { text: lines.join('\n'), truncated: false };
  return {
    text: [...lines.slice(0, shown), `… ${lines.length - shown} more lines of the difference`].join('\n'),
    truncated: true,
  };
}
