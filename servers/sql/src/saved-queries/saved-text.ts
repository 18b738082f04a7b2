import { isBlank } from '../rows/blank.ts';
import { visible } from '../rows/shown-value.ts';

/** A parameter of a saved query. Parameters have the order of the placeholders. */
export interface SavedParameter {
  readonly name: string;
  /** Description of the parameter in the header; empty if the header has none. */
  readonly description: string;
  /** Whether the parameter may be omitted. An omitted parameter is NULL. */
  readonly optional: boolean;
}

/** The parsed header and the statement of the file of a saved query. */
export interface SavedText {
  readonly name: string;
  readonly description: string;
  readonly params: readonly SavedParameter[];
  readonly maxRows: number;
  /** Id of the database; `undefined` for the first database. */
  readonly database: string | undefined;
  /** Whether the tool also returns structured content. */
  readonly structured: boolean;
  readonly sql: string;
  /**
   * Number of lines in the file before the statement. The line of an error in the file is this number plus the line in the
   * statement.
   */
  readonly before: number;
}

/**
 * A problem that makes a query file unusable, with the line and column of the problem. Both are 1 if the problem has no position.
 */
export class SavedProblem extends Error {
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1. */
  readonly column: number;

  constructor(message: string, { line = 1, column = 1 }: { readonly line?: number; readonly column?: number } = {}) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

const DEFAULT_ROWS = 100;
const MAX_ROWS = 10_000;
const MAX_PARAMETERS = 50;
const MAX_DESCRIPTION = 2000;

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const PARAMETER = /^[a-z][a-z0-9_]{0,62}$/i;

/** A line `key: value` of the header, with its position. */
interface Entry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly column: number;
  readonly indented: boolean;
}

type Header = Map<string, Entry>;

/**
 * Parses a file: a header between two lines `-- ---` (each line is an SQL comment) or `---`, then one statement.
 *
 * The header has `name` (default: the file name without `.sql`), `description`, `params` (followed by one indented line for each
 * parameter, `name: description`, or `name?: description` for an optional parameter), `max_rows` (default: 100), `database`
 * (default: the first) and `structured` (default: false).
 *
 * @throws SavedProblem
 */
export function parseSavedText(text: string, defaultName: string): SavedText {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/);
  const end = findHeaderEnd(lines);
  const { fields, params } = collectEntries(parseEntries(lines.slice(0, end)));
  const sql = lines.slice(end + 1).join('\n');
  if (isBlank(sql)) throw new SavedProblem('the file has no statement below the header', { line: end + 1 });
  return {
    name: readName(fields, defaultName),
    description: readDescription(fields),
    params: params.map(parseParameter),
    maxRows: readMaxRows(fields.get('max_rows')),
    database: fields.get('database')?.value,
    structured: readFlag(fields.get('structured')),
    sql,
    before: end + 1,
  };
}

function findHeaderEnd(lines: readonly string[]): number {
  const opening = (lines[0] ?? '').trim();
  if (!isFence(opening)) throw new SavedProblem('the file must begin with a line "-- ---" and a description of the query');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line.trim()));
  if (end === -1) throw new SavedProblem('the header does not end: a second line "-- ---" is missing', { line: lines.length });
  return end;
}

function isFence(line: string): boolean {
  return line === '---' || line === '-- ---';
}

function parseEntries(head: readonly string[]): readonly Entry[] {
  return head.flatMap((whole, index) => (index === 0 ? [] : parseEntry(whole, index + 1)));
}

/** Parses a line of the header. Returns no entry for an empty line or a comment, which begins with `#`. */
function parseEntry(whole: string, line: number): readonly Entry[] {
  const [prefix = ''] = /^(?:-- ?)?/.exec(whole) ?? [];
  const rest = whole.slice(prefix.length);
  const text = rest.trim();
  if (text === '' || text.startsWith('#')) return [];
  const column = whole.length - rest.trimStart().length + 1;
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(0, colon)).trimEnd();
  if (key === '' || /\s/.test(key)) throw new SavedProblem('"key: value" is expected', { line, column });
  return [{ key, value: unquote(text.slice(colon + 1).trim()), line, column, indented: /^\s/.test(rest) }];
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

const KEYS = ['name', 'description', 'params', 'max_rows', 'database', 'structured'];

function collectEntries(entries: readonly Entry[]): { readonly fields: Header; readonly params: readonly Entry[] } {
  const fields: Header = new Map();
  const params: Entry[] = [];
  let above = '';
  for (const entry of entries) {
    if (entry.indented) {
      if (above !== 'params') throw new SavedProblem('only lines below "params" may be indented', entry);
      params.push(entry);
      continue;
    }
    if (!KEYS.includes(entry.key))
      throw new SavedProblem(`"${entry.key}" is not a known key; the keys are ${KEYS.join(', ')}`, entry);
    if (fields.has(entry.key)) throw new SavedProblem(`"${entry.key}" occurs twice`, entry);
    fields.set(entry.key, entry);
    above = entry.key;
  }
  // The number is limited before the search for duplicates, which compares each pair: a header of 64 KiB can have thousands of
  // parameters.
  if (params.length > MAX_PARAMETERS) throw new SavedProblem(`the header has more than ${MAX_PARAMETERS} parameters`, params[0]);
  const twice = params.find(({ key }, index) => params.findIndex((other) => withoutMark(other.key) === withoutMark(key)) < index);
  if (twice !== undefined) throw new SavedProblem(`the header has two parameters named "${withoutMark(twice.key)}"`, twice);
  return { fields, params };
}

function withoutMark(key: string): string {
  return key.replace(/\?$/, '');
}

function readName(fields: Header, defaultName: string): string {
  const entry = fields.get('name');
  const name = entry?.value ?? defaultName;
  if (NAME.test(name)) return name;
  throw new SavedProblem(
    `"${name}" is not a valid name; use 1 to 64 characters of a-z, 0-9 and _, starting with a letter`,
    entry,
  );
}

function readDescription(fields: Header): string {
  const entry = fields.get('description');
  if (entry === undefined || entry.value === '')
    throw new SavedProblem('a description is missing; models choose the tool by its description', entry);
  if (entry.value.length > MAX_DESCRIPTION)
    throw new SavedProblem(`the description is longer than ${MAX_DESCRIPTION} characters`, entry);
  return visible(entry.value);
}

function parseParameter(entry: Entry): SavedParameter {
  const name = withoutMark(entry.key);
  if (!PARAMETER.test(name)) throw new SavedProblem(`"${name}" is not a valid name of a parameter`, entry);
  return { name, description: visible(entry.value), optional: entry.key.endsWith('?') };
}

function readMaxRows(entry: Entry | undefined): number {
  if (entry === undefined) return DEFAULT_ROWS;
  const rows = /^\d{1,5}$/.test(entry.value) ? Number(entry.value) : 0;
  if (rows >= 1 && rows <= MAX_ROWS) return rows;
  throw new SavedProblem(`max_rows must be an integer from 1 to ${MAX_ROWS}`, entry);
}

function readFlag(entry: Entry | undefined): boolean {
  if (entry === undefined || entry.value === 'false') return false;
  if (entry.value === 'true') return true;
  throw new SavedProblem('structured must be true or false', entry);
}
