import { decode, records } from './fields.ts';

/** Every field ends with NUL, which no field can contain: a message cannot forge a commit. */
export const LOG_FORMAT = '%H%x00%P%x00%an%x00%ae%x00%aI%x00%ct%x00%B';
const FIELDS = 7;

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
}

/** The whole commits in the output of `git log -z --format=`{@link LOG_FORMAT}. */
export function parseLog(stdout: Buffer): readonly LoggedCommit[] {
  return records(terminated(stdout), FIELDS).map(commitOf);
}

/** The first commit of output that was cut within its message. */
export function parseCutCommit(stdout: Buffer): LoggedCommit | undefined {
  const fields = decodeFields(stdout);
  return fields.length < FIELDS ? undefined : commitOf(fields);
}

function terminated(stdout: Buffer): readonly string[] {
  // What follows the last NUL is a field that was cut, or nothing.
  return decodeFields(stdout).slice(0, -1);
}

/** git hands on as they are the messages whose bytes are not what their commits say. */
function decodeFields(stdout: Buffer): readonly string[] {
  const { text, words } = decode(stdout);
  return text.split('\0').map(words);
}

function commitOf(fields: readonly string[]): LoggedCommit {
  const [oid = '', parents = '', author = '', email = '', date = '', committed = '', message = ''] = fields;
  return {
    oid,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    committed: Number(committed),
    // git ends a message with a newline; other space at its end is the author's.
    message: message.replace(/\n+$/, ''),
  };
}
