import { spellPath } from '../path-bytes.ts';
import { bytesOfCString } from './c-string.ts';
import { wordsOf } from './fields.ts';

/** Lines that one commit wrote. */
export interface BlamedHunk {
  readonly oid: string;
  /** 1-based, in the file as it is at the revision. */
  readonly start_line: number;
  readonly lines: number;
  readonly author: string;
  /** Author's date, ISO 8601. */
  readonly date: string;
  readonly summary: string;
  /** What the file was called in that commit. */
  readonly original_path: string;
}

interface CommitFacts {
  readonly author: string;
  readonly date: string;
  readonly summary: string;
}

const HEADER = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ (\d+) (\d+)$/;
const NEWLINE = 0x0a;

/** Reads `git blame --incremental` as it comes; facts about a commit come once, with its first hunk. */
export class BlameReader {
  // Lines are kept as Latin-1: every byte is a character.
  readonly #commits = new Map<string, CommitFacts>();
  readonly #hunks: BlamedHunk[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #header: readonly [string, number, number] | undefined;
  #facts = new Map<string, string>();
  #lines = 0;

  /** Lines whose commit is known by now. */
  get lines(): number {
    return this.#lines;
  }

  /** In the order of the file. */
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
      // `filename` ends every hunk.
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
      original_path: spellPath(bytesOfCString(this.#facts.get('filename') ?? '')),
    });
    this.#lines += lines;
    this.#header = undefined;
    this.#facts = new Map();
  }

  #read(): CommitFacts {
    const seconds = Number(this.#facts.get('author-time') ?? 0);
    return {
      author: words(this.#facts.get('author')),
      date: new Date(seconds * 1000).toISOString(),
      summary: words(this.#facts.get('summary')),
    };
  }
}

function words(line: string | undefined): string {
  return wordsOf(Buffer.from(line ?? '', 'latin1'));
}
