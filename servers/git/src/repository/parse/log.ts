import { trimEnd } from '../../text/trim-end.ts';
import { decode, records } from './fields.ts';

/** Every field ends with NUL, which no field can contain: a message cannot forge a commit. */
export const LOG_FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%ct%x00%B';
const FIELDS = 7;

/** How much a commit changed. */
interface CommitStats {
  readonly files: number;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** One commit of a log. */
export interface LoggedCommit {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Author's date, ISO 8601. */
  readonly date: string;
  /** Committer's date in seconds, by which git orders. */
  readonly committed: number;
  readonly message: string;
  readonly stats?: CommitStats;
}

/** The whole commits in the output of `git log -z --format=`{@link LOG_FORMAT}, with or without `--shortstat`. */
export function parseLog(stdout: Buffer): readonly LoggedCommit[] {
  const fields = [...decodeFields(stdout)];
  // What follows the last NUL is a field that was cut, the last statistics, or nothing.
  const rest = fields.pop() ?? '';
  const found = records(fields, FIELDS);
  return found.map((record, position) => commitOf(record, found[position + 1]?.[0] ?? rest));
}

/** The first commit of output that was cut within its message. */
export function parseCutCommit(stdout: Buffer): LoggedCommit | undefined {
  const fields = decodeFields(stdout);
  return fields.length < FIELDS ? undefined : commitOf(fields, '');
}

/** git hands on as they are the messages whose bytes are not what their commits say. */
function decodeFields(stdout: Buffer): readonly string[] {
  const { text, words } = decode(stdout);
  return text.split('\0').map(words);
}

/** How many commits begin in a part of the output, about. */
export function commitsIn(chunk: Buffer): number {
  let ends = 0;
  for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) ends += 1;
  return ends / FIELDS;
}

/** @param after what stands before the next commit */
function commitOf(fields: readonly string[], after: string): LoggedCommit {
  const [oid = '', parents = '', author = '', email = '', date = '', committed = '', message = ''] = fields;
  const stats = statsIn(after);
  return {
    oid: oid.slice(oid.lastIndexOf('\n') + 1),
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    committed: Number(committed),
    // git ends a message with a newline; other space at its end is the author's.
    message: trimEnd(message, '\n'),
    ...(stats && { stats }),
  };
}

/** Statistics stand on a line of their own before the name of the next commit. */
function statsIn(text: string): CommitStats | undefined {
  const [, files] = /^\n (\d+) files? changed/.exec(text) ?? [];
  if (files === undefined) return undefined;
  const [, added = 0] = /(?<!\d)(\d+) insertion/.exec(text) ?? [];
  const [, removed = 0] = /(?<!\d)(\d+) deletion/.exec(text) ?? [];
  return { files: Number(files), added: Number(added), removed: Number(removed) };
}
