import { nameOf, wordsOf } from './fields.ts';

/** A line that git grep shows. */
export interface GreppedLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** In bytes from 1, of the first match; `undefined` for a line around a match. */
  readonly column: number | undefined;
  readonly text: string;
}

const NEWLINE = 0x0a;
/** As much of a line as is kept: a longer one is mostly not meant to be read. */
const MAX_LINE = 65_536;
const RECORD = /^(?:--\n)?(?<path>[^\0]+)\0(?<line>\d+)\0(?:(?<column>\d+)\0)?(?<text>[^]*)$/;

/** Reads `git grep --null --line-number --column` as it comes. A path may hold line ends: it is ended by NUL alone. */
export class GrepReader {
  readonly #take: (line: GreppedLine) => void;
  readonly #prefix: number;
  #rest: Buffer = Buffer.alloc(0);
  /** What came of a line that is longer than what is kept. */
  #isSkipping = false;

  /** @param prefix what git puts before each path: the name of the commit that it looks in, and a colon */
  constructor(take: (line: GreppedLine) => void, prefix = '') {
    this.#take = take;
    this.#prefix = prefix.length;
  }

  feed(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#endOf(bytes); end !== -1; end = this.#endOf(bytes)) {
      if (!this.#isSkipping) this.#read(bytes.subarray(0, end));
      this.#isSkipping = false;
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > MAX_LINE) {
      if (!this.#isSkipping) this.#read(bytes.subarray(0, MAX_LINE));
      this.#isSkipping = true;
      bytes = Buffer.alloc(0);
    }
    this.#rest = bytes;
  }

  /** The line end after the number of the line. */
  #endOf(bytes: Buffer): number {
    if (this.#isSkipping) return bytes.indexOf(NEWLINE);
    const path = bytes.indexOf(0);
    const line = path === -1 ? -1 : bytes.indexOf(0, path + 1);
    return line === -1 ? -1 : bytes.indexOf(NEWLINE, line + 1);
  }

  #read(record: Buffer): void {
    const { path, line, column, text } = RECORD.exec(record.toString('latin1'))?.groups ?? {};
    if (path === undefined || line === undefined || text === undefined) return;
    this.#take({
      path: nameOf(path.slice(this.#prefix)),
      line: Number(line),
      column: column === undefined ? undefined : Number(column),
      text: wordsOf(Buffer.from(text, 'latin1')),
    });
  }
}
