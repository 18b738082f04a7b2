import { decodeName, decodeText } from './fields.ts';

/** A line of the output of git grep. */
export interface GrepLine {
  readonly path: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** Column of the first match in bytes, from 1; `undefined` for a context line. */
  readonly column: number | undefined;
  readonly text: string;
}

const NEWLINE = 0x0a;
/** Maximum length of a line that is kept, in bytes. The rest of a longer line is skipped. */
const MAX_LINE = 65_536;
const RECORD = /^(?:--\n)?(?<path>[^\0]+)\0(?<line>\d+)\0(?:(?<column>\d+)\0)?(?<text>[^]*)$/;

/**
 * Parses the output of `git grep --null --line-number --column` in chunks. A path may contain line endings, because it is terminated
 * by NUL.
 */
export class GrepReader {
  readonly #take: (line: GrepLine) => void;
  readonly #prefix: number;
  #rest: Buffer = Buffer.alloc(0);
  /** Whether the rest of a line that is too long is being skipped. */
  #isSkipping = false;

  /** @param prefix text that git writes before each path: the name of the commit and a colon */
  constructor(take: (line: GrepLine) => void, prefix = '') {
    this.#take = take;
    this.#prefix = prefix.length;
  }

  feed(chunk: Buffer): void {
    let bytes = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#findEnd(bytes); end !== -1; end = this.#findEnd(bytes)) {
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

  /** Finds the line ending that ends a record. The path before the line number may also contain line endings. */
  #findEnd(bytes: Buffer): number {
    if (this.#isSkipping) return bytes.indexOf(NEWLINE);
    const path = bytes.indexOf(0);
    const line = path === -1 ? -1 : bytes.indexOf(0, path + 1);
    return line === -1 ? -1 : bytes.indexOf(NEWLINE, line + 1);
  }

  #read(record: Buffer): void {
    const { path, line, column, text } = RECORD.exec(record.toString('latin1'))?.groups ?? {};
    if (path === undefined || line === undefined || text === undefined) return;
    this.#take({
      path: decodeName(path.slice(this.#prefix)),
      line: Number(line),
      column: column === undefined ? undefined : Number(column),
      text: decodeText(Buffer.from(text, 'latin1')),
    });
  }
}
