import { isBlank } from '../policy/blank.ts';
import { visible } from '../rows/shown-value.ts';

/** A parameter of a saved query, in the order of `$1`, `$2` and so on. */
export interface SavedParameter {
  readonly name: string;
  /** Empty where the file does not say. */
  readonly description: string;
  /** It may be left out, and is then NULL. */
  readonly optional: boolean;
}

/** What a file says of its query. */
export interface SavedText {
  readonly name: string;
  readonly description: string;
  readonly params: readonly SavedParameter[];
  readonly maxRows: number;
  /** Id of the database; `undefined`: the first. */
  readonly database: string | undefined;
  /** Whether the rows are structured content too. */
  readonly structured: boolean;
  readonly sql: string;
  /** Lines of the file before the statement. */
  readonly before: number;
}

/** What is wrong with a file, and where. */
export class SavedProblem extends Error {
  /** From 1. */
  readonly line: number;
  /** From 1. */
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

/** A line `key: value`, and where it stands. */
interface Entry {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly column: number;
  readonly indented: boolean;
}

type Header = Map<string, Entry>;

/**
 * Reads a file: a head between two lines `-- ---` (every line a comment of SQL) or `---`, then one statement.
 *
 * The head has `name` (default: the file's, without `.sql`), `description`, `params` (indented below it a line `name: description` for
 * each, `name?:` for one that may be left out), `max_rows` (default: 100), `database` (default: the first) and `structured` (default:
 * false).
 *
 * @throws SavedProblem
 */
export function readSavedText(text: string, defaultName: string): SavedText {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/);
  const end = endOfHead(lines);
  const { fields, params } = collect(entriesOf(lines.slice(0, end)));
  const sql = lines.slice(end + 1).join('\n');
  if (isBlank(sql)) throw new SavedProblem('there is no statement below the head', { line: end + 1 });
  return {
    name: nameOf(fields, defaultName),
    description: descriptionOf(fields),
    params: params.map(parameterOf),
    maxRows: rowsOf(fields.get('max_rows')),
    database: fields.get('database')?.value,
    structured: flagOf(fields.get('structured')),
    sql,
    before: end + 1,
  };
}

function endOfHead(lines: readonly string[]): number {
  const opening = (lines[0] ?? '').trim();
  if (!isFence(opening)) throw new SavedProblem('the file has to begin with a line "-- ---" and a description of the query');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line.trim()));
  if (end === -1) throw new SavedProblem('the head does not end: a second line "-- ---" is missing', { line: lines.length });
  return end;
}

function isFence(line: string): boolean {
  return line === '---' || line === '-- ---';
}

function entriesOf(head: readonly string[]): readonly Entry[] {
  return head.flatMap((whole, index) => (index === 0 ? [] : entryOf(whole, index + 1)));
}

/** None of a line that is empty or a comment. */
function entryOf(whole: string, line: number): readonly Entry[] {
  const [prefix = ''] = /^(?:-- ?)?/.exec(whole) ?? [];
  const rest = whole.slice(prefix.length);
  const text = rest.trim();
  if (text === '' || text.startsWith('#')) return [];
  const column = whole.length - rest.trimStart().length + 1;
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(0, colon)).trimEnd();
  if (key === '' || /\s/.test(key)) throw new SavedProblem('"key: value" is expected', { line, column });
  return [{ key, value: unquoted(text.slice(colon + 1).trim()), line, column, indented: /^\s/.test(rest) }];
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

const KEYS = ['name', 'description', 'params', 'max_rows', 'database', 'structured'];

function collect(entries: readonly Entry[]): { readonly fields: Header; readonly params: readonly Entry[] } {
  const fields: Header = new Map();
  const params: Entry[] = [];
  let above = '';
  for (const entry of entries) {
    if (entry.indented) {
      if (above !== 'params') throw new SavedProblem('only the lines of "params" are indented', entry);
      params.push(entry);
      continue;
    }
    if (!KEYS.includes(entry.key)) throw new SavedProblem(`"${entry.key}" is not known; there are ${KEYS.join(', ')}`, entry);
    if (fields.has(entry.key)) throw new SavedProblem(`"${entry.key}" is there twice`, entry);
    fields.set(entry.key, entry);
    above = entry.key;
  }
  // The next question is asked of each pair: a head of 64 KiB has room for thousands.
  if (params.length > MAX_PARAMETERS) throw new SavedProblem(`there are more than ${MAX_PARAMETERS} parameters`, params[0]);
  const twice = params.find(({ key }, index) => params.findIndex((other) => bare(other.key) === bare(key)) < index);
  if (twice !== undefined) throw new SavedProblem(`the parameter "${bare(twice.key)}" is there twice`, twice);
  return { fields, params };
}

function bare(key: string): string {
  return key.replace(/\?$/, '');
}

function nameOf(fields: Header, defaultName: string): string {
  const entry = fields.get('name');
  const name = entry?.value ?? defaultName;
  if (NAME.test(name)) return name;
  throw new SavedProblem(`"${name}" is not a name; use 1 to 64 of a-z, 0-9 and _, a letter first`, entry);
}

function descriptionOf(fields: Header): string {
  const entry = fields.get('description');
  if (entry === undefined || entry.value === '') throw new SavedProblem('a description is missing; models choose by it', entry);
  if (entry.value.length > MAX_DESCRIPTION)
    throw new SavedProblem(`the description is longer than ${MAX_DESCRIPTION} characters`, entry);
  return visible(entry.value);
}

function parameterOf(entry: Entry): SavedParameter {
  const name = bare(entry.key);
  if (!PARAMETER.test(name)) throw new SavedProblem(`"${name}" is not the name of a parameter`, entry);
  return { name, description: visible(entry.value), optional: entry.key.endsWith('?') };
}

function rowsOf(entry: Entry | undefined): number {
  if (entry === undefined) return DEFAULT_ROWS;
  const rows = /^\d{1,5}$/.test(entry.value) ? Number(entry.value) : 0;
  if (rows >= 1 && rows <= MAX_ROWS) return rows;
  throw new SavedProblem(`max_rows is a whole number from 1 to ${MAX_ROWS}`, entry);
}

function flagOf(entry: Entry | undefined): boolean {
  if (entry === undefined || entry.value === 'false') return false;
  if (entry.value === 'true') return true;
  throw new SavedProblem('structured is true or false', entry);
}
