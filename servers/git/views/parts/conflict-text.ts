/** A conflict in a file with markers. Lines have their line breaks. */
export interface Conflict {
  /** Position of the first marker among the lines of the file, from 0. */
  readonly start: number;
  /** Position after the last marker. */
  readonly end: number;
  readonly ours: readonly string[];
  /** Lines of the common ancestor; `undefined` if the markers do not show it. */
  readonly base: readonly string[] | undefined;
  readonly theirs: readonly string[];
  /** Names after the markers, such as HEAD and a branch. */
  readonly names: { readonly ours: string; readonly theirs: string };
}

/** Which lines replace a conflict; `both` means ours, and then theirs. */
export type Choice = 'ours' | 'theirs' | 'both' | 'base';

/** Splits a text into its lines, with their line breaks. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Finds the conflicts between markers of seven characters. Incomplete markers are ignored. */
export function findConflicts(lines: readonly string[]): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  let start = -1;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('<<<<<<< ')) start = index;
    if (start === -1 || !line.startsWith('>>>>>>> ')) continue;
    const found = readConflict(lines, start, index);
    if (found !== undefined) conflicts.push(found);
    start = -1;
  }
  return conflicts;
}

function readConflict(lines: readonly string[], start: number, last: number): Conflict | undefined {
  const inside = lines.slice(start + 1, last);
  const middle = inside.findIndex((line) => line.trimEnd() === '=======');
  if (middle === -1) return undefined;
  const ancestor = inside.slice(0, middle).findIndex((line) => /^\|{7}( |\r?$)/.test(line.trimEnd()));
  return {
    start,
    end: last + 1,
    ours: inside.slice(0, ancestor === -1 ? middle : ancestor),
    base: ancestor === -1 ? undefined : inside.slice(ancestor + 1, middle),
    theirs: inside.slice(middle + 1),
    names: { ours: nameOf(lines[start]), theirs: nameOf(lines[last]) },
  };
}

function nameOf(marker = ''): string {
  return marker.slice(8).trim();
}

/** Returns the lines with which a choice replaces a conflict. */
export function linesOf({ ours, theirs, base = [] }: Conflict, choice: Choice): readonly string[] {
  if (choice === 'both') return [...ours, ...theirs];
  return { ours, theirs, base }[choice];
}

/** Maximum number of unchanged lines before and after the change in a patch. */
const CONTEXT = 3;

/** Creates the patch that replaces a conflict with other lines. */
export function createPatch(path: string, lines: readonly string[], { start, end }: Conflict, chosen: readonly string[]): string {
  const [before, after] = [lines.slice(Math.max(0, start - CONTEXT), start), lines.slice(end, end + CONTEXT)];
  const around = before.length + after.length;
  const first = start - before.length + 1;
  const newCount = around + chosen.length;
  // If a hunk has no new lines, its header contains the number of the line before the hunk.
  const newFirst = newCount === 0 ? first - 1 : first;
  return [
    `diff --git ${quote(`a/${path}`)} ${quote(`b/${path}`)}\n--- ${quote(`a/${path}`)}\n+++ ${quote(`b/${path}`)}\n`,
    `@@ -${first},${around + end - start} +${newFirst},${newCount} @@\n`,
    ...before.map((line) => withSign(' ', line)),
    ...lines.slice(start, end).map((line) => withSign('-', line)),
    ...chosen.map((line) => withSign('+', line)),
    ...after.map((line) => withSign(' ', line)),
  ].join('');
}

function withSign(sign: string, line: string): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Quotes a path like git. */
function quote(path: string): string {
  const escaped = path
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}
