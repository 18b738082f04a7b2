import { unquoteCString } from './c-string.ts';
import { decodeText } from './fields.ts';
import { decodePath } from './path-bytes.ts';

/** Consecutive lines from one commit. */
export interface BlamedHunk {
  readonly oid: string;
  /** Number of the first line, from 1, in the file at the blamed revision. */
  readonly start_line: number;
  readonly lines: number;
  readonly author: string;
  /** Author date in ISO 8601. */
  readonly date: string;
  readonly summary: string;
  /** Path of the file in that commit. */
  readonly original_path: string;
}

interface CommitFacts {
  readonly author: string;
  readonly date: string;
  readonly summary: string;
}

const HEADER = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ (\d+) (\d+)$/;
const NEWLINE = 0x0a;

/** Parses the output of `git blame --incremental` in chunks. Git writes the facts about a commit once, with its first hunk. */
export class BlameReader {
  readonly #commits = new Map<string, CommitFacts>();
  readonly #hunks: BlamedHunk[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #header: readonly [string, number, number] | undefined;
  /** Facts of the current hunk, as Latin-1, in which each byte is one character. */
  #facts = new Map<string, string>();
  #lines = 0;

  /** Number of lines whose commit is known so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Hunks in the order of the file. */
  get hunks(): readonly BlamedHunk[] {
    return this.#hunks.toSorted((one, other) => one.start_line - other.start_line);
  }

  feed(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#line(bytes.toString('latin1', start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
  }

  #line(line: string): void {
    const [, oid, final, lines] = HEADER.exec(line) ?? [];
    if (this.#header === undefined && oid !== undefined) this.#header = [oid, Number(final), Number(lines)];
    else {
      const space = line.indexOf(' ');
      const name = space === -1 ? line : line.slice(0, space);
      this.#facts.set(name, space === -1 ? '' : line.slice(space + 1));
      // `filename` is the last line of every hunk.
      if (name === 'filename') this.#finish();
    }
  }

  #finish(): void {
    const [oid, start, lines] = this.#header ?? ['', 0, 0];
    const commit = this.#commits.get(oid) ?? this.#read();
    this.#commits.set(oid, commit);
    this.#hunks.push({
      oid,
      start_line: start,
      lines,
      ...commit,
      original_path: decodePath(unquoteCString(this.#facts.get('filename') ?? '')),
    });
    this.#lines += lines;
    this.#header = undefined;
    this.#facts = new Map();
  }

  #read(): CommitFacts {
    const seconds = Number(this.#facts.get('author-time') ?? 0);
    return {
      author: decodeFact(this.#facts.get('author')),
      date: new Date(seconds * 1000).toISOString(),
      summary: decodeFact(this.#facts.get('summary')),
    };
  }
}

function decodeFact(line: string | undefined): string {
  return decodeText(Buffer.from(line ?? '', 'latin1'));
}
