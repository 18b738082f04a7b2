import { trimEnd } from '../../text/cut.ts';
import { decodeOutput, groupFields } from './fields.ts';

/** Format of a commit. Each field ends with NUL, which no field can contain, so that a message cannot forge a commit. */
export const LOG_FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%ct%x00%B';
const FIELDS = 7;

/** Size of the changes of a commit. */
interface CommitStats {
  readonly files: number;
  /** Number of lines. */
  readonly added: number;
  readonly removed: number;
}

/** One commit of a log. */
export interface LoggedCommit {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Author date in ISO 8601. */
  readonly date: string;
  /** Committer date in seconds since 1970, by which git orders commits. */
  readonly committed: number;
  readonly message: string;
  readonly stats?: CommitStats;
}

/** Parses the complete commits in the output of `git log -z --format=`{@link LOG_FORMAT}, with or without `--shortstat`. */
export function parseLog(stdout: Buffer): readonly LoggedCommit[] {
  const fields = [...decodeFields(stdout)];
  // The text after the last NUL is an incomplete field, the last statistics, or empty.
  const rest = fields.pop() ?? '';
  const found = groupFields(fields, FIELDS);
  return found.map((record, position) => toCommit(record, found[position + 1]?.[0] ?? rest));
}

/** Parses the first commit of output that was cut within its message. Returns `undefined` if the output ends earlier. */
export function parseCutCommit(stdout: Buffer): LoggedCommit | undefined {
  const fields = decodeFields(stdout);
  return fields.length < FIELDS ? undefined : toCommit(fields, '');
}

/**
 * Splits output at NUL, and decodes the fields as UTF-8 or Windows-1252: git does not convert a message whose bytes do not match
 * the encoding of its commit.
 */
function decodeFields(stdout: Buffer): readonly string[] {
  const { text, words } = decodeOutput(stdout);
  return text.split('\0').map(words);
}

/** Estimates the number of commits in a chunk of the output. The result may be a fraction. */
export function countCommits(chunk: Buffer, fields: number = FIELDS): number {
  let ends = 0;
  for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) ends += 1;
  return ends / fields;
}

/** @param after text between this commit and the next, which contains the statistics */
function toCommit(fields: readonly string[], after: string): LoggedCommit {
  const [oid = '', parents = '', author = '', email = '', date = '', committed = '', message = ''] = fields;
  const stats = parseStats(after);
  return {
    oid: oid.slice(oid.lastIndexOf('\n') + 1),
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    committed: Number(committed),
    // Git adds a newline to a message. Other trailing white space belongs to the message.
    message: trimEnd(message, '\n'),
    ...(stats && { stats }),
  };
}

/** Parses statistics, which are on a separate line before the name of the next commit. */
function parseStats(text: string): CommitStats | undefined {
  const [, files] = /^\n (\d+) files? changed/.exec(text) ?? [];
  if (files === undefined) return undefined;
  const [, added = 0] = /(?<!\d)(\d+) insertion/.exec(text) ?? [];
  const [, removed = 0] = /(?<!\d)(\d+) deletion/.exec(text) ?? [];
  return { files: Number(files), added: Number(added), removed: Number(removed) };
}
