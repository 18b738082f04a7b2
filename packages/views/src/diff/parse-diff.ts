/** A line of a difference. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed' | 'note';
  /** Number of the line in the old version, from 1. */
  readonly oldLine?: number;
  /** Number of the line in the new version, from 1. */
  readonly newLine?: number;
  readonly text: string;
}

/** Lines that changed together, with the lines around them. */
export interface DiffHunk {
  /** Text after the second `@@`, such as the name of a function. */
  readonly place: string;
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

/** The difference of one file. */
export interface DiffFile {
  /** Path of the old version; `/dev/null` for a new file, and empty if the difference does not name it. */
  readonly oldPath: string;
  readonly newPath: string;
  /** Lines of git before the hunks, such as `rename from a`. */
  readonly notes: readonly string[];
  readonly hunks: readonly DiffHunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
/** Beginning of the line `diff --git a/old b/new`. If the file has no hunks, only this line contains both names. */
const HEADER = 'diff --git a/';
const BETWEEN = ' b/';

interface OpenHunk {
  readonly place: string;
  readonly oldStart: number;
  readonly newStart: number;
  /** Number of lines of the old version that are still to come; `newLeft` is this number for the new version. */
  oldLeft: number;
  newLeft: number;
  readonly raw: string[];
}

interface OpenFile {
  oldPath: string;
  newPath: string;
  readonly notes: string[];
  readonly hunks: OpenHunk[];
}

/**
 * Parses a unified difference of several files. Lines before the first file are ignored. A hunk has as many lines as its head says, so a
 * changed line that looks like the head of a file is only a line.
 */
export function parseDiff(text: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  let hunk: OpenHunk | undefined;
  for (const line of text.split('\n')) {
    if (hunk !== undefined && takeLine(hunk, line)) continue;
    hunk = openHunk(line);
    if (hunk === undefined) readHead(files, line);
    else files.at(-1)?.hunks.push(hunk);
  }
  return files.map((file) => ({ ...file, hunks: file.hunks.map(closeHunk) }));
}

/** Adds a line to a hunk. Returns `false` if the line is not a part of the hunk. */
function takeLine(hunk: OpenHunk, line: string): boolean {
  const sign = line.charAt(0);
  if (sign !== '\\' && hunk.oldLeft <= 0 && hunk.newLeft <= 0) return false;
  if (!' +-\\'.includes(sign)) return false;
  hunk.raw.push(line);
  const { kind } = readLine(line);
  if (kind === 'context' || kind === 'removed') hunk.oldLeft -= 1;
  if (kind === 'context' || kind === 'added') hunk.newLeft -= 1;
  return true;
}

function openHunk(line: string): OpenHunk | undefined {
  const found = HUNK.exec(line);
  if (found === null) return undefined;
  const [, oldStart, oldLeft = '1', newStart, newLeft = '1', place = ''] = found;
  const [old, fresh] = [Number(oldStart), Number(newStart)];
  return { place, oldStart: old, newStart: fresh, oldLeft: Number(oldLeft), newLeft: Number(newLeft), raw: [] };
}

function closeHunk({ place, oldStart, newStart, raw }: OpenHunk): DiffHunk {
  return { place, oldStart, newStart, lines: numberLines(raw, { oldStart, newStart }) };
}

function readHead(files: OpenFile[], line: string): void {
  if (line.startsWith('diff --')) files.push(openFile(line));
  else if (line.startsWith('--- ') && files.at(-1)?.hunks.length !== 0) files.push({ ...emptyFile(), oldPath: readPath(line) });
  else readHeadLine(files.at(-1), line);
}

function emptyFile(): OpenFile {
  return { oldPath: '', newPath: '', notes: [], hunks: [] };
}

function openFile(line: string): OpenFile {
  if (!line.startsWith(HEADER)) return { ...emptyFile(), newPath: line.slice(line.indexOf(' ', 'diff --'.length) + 1) };
  const names = line.slice(HEADER.length);
  // The names are equal unless the file was renamed, so the position between them follows from their length. For a renamed file,
  // the position is a guess, because a name may contain ` b/`.
  const middle = (names.length - BETWEEN.length) / 2;
  const isEqual = names.startsWith(BETWEEN, middle) && names.endsWith(names.slice(0, middle));
  const end = isEqual ? middle : names.lastIndexOf(BETWEEN);
  return { ...emptyFile(), oldPath: names.slice(0, end), newPath: names.slice(end + BETWEEN.length) };
}

/** Reads a line between the first line of a file and its first hunk. */
function readHeadLine(file: OpenFile | undefined, line: string): void {
  if (file === undefined) return;
  if (line.startsWith('--- ')) file.oldPath = readPath(line);
  else if (line.startsWith('+++ ')) file.newPath = readPath(line);
  else if (file.hunks.length === 0 && line !== '') file.notes.push(line);
}

function readPath(line: string): string {
  const [path = ''] = line.slice(4).split('\t', 1);
  return path.replace(/^"?[ab]\//, '').replace(/"$/, '');
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '\\': 'note' };

function readLine(line: string): Pick<DiffLine, 'kind' | 'text'> {
  return { kind: KINDS[line.charAt(0)] ?? 'context', text: line.slice(1) };
}

/** Numbers the lines of a hunk, each of which begins with ` `, `+`, `-` or `\`. */
export function numberLines(
  raw: readonly string[],
  { oldStart, newStart }: Pick<DiffHunk, 'oldStart' | 'newStart'>,
): readonly DiffLine[] {
  let [oldLine, newLine] = [oldStart, newStart];
  return raw.map((line): DiffLine => {
    const { kind, text } = readLine(line);
    if (kind === 'note') return { kind, text: text.trim() };
    if (kind === 'added') return { kind, text, newLine: newLine++ };
    if (kind === 'removed') return { kind, text, oldLine: oldLine++ };
    return { kind, text, oldLine: oldLine++, newLine: newLine++ };
  });
}
