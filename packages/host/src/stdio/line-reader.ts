const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

export interface LineListener {
  /** A line without its end, and its size. */
  readonly line: (text: string, bytes: number) => void;
  /** Of a line that is too long, once, as soon as it is. */
  readonly tooLong: () => void;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. The parts of a line are joined once, when it ends; a line that is too long is skipped
 * without being kept. A byte order mark at the beginning is left out, invalid UTF-8 is read as U+FFFD, and so is only wrong where it is.
 */
export class LineReader {
  readonly #maxLine: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;
  #isFirst = true;

  constructor(maxLine: number, listener: LineListener) {
    this.#maxLine = maxLine;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, begin)) {
      this.#add(chunk.subarray(begin, end));
      this.#endLine();
      begin = end + 1;
    }
    if (begin < chunk.length) this.#add(chunk.subarray(begin));
  }

  /** The last line may have no end. */
  end(): void {
    this.#endLine();
  }

  #add(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= this.#maxLine) {
      this.#parts.push(part);
      return;
    }
    this.#skipping = true;
    this.#parts = [];
    this.#listener.tooLong();
  }

  #endLine(): void {
    const bytes = this.#bytes;
    const [first, ...others] = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (first === undefined) return;
    const text = (others.length === 0 ? first : Buffer.concat([first, ...others], bytes)).toString();
    const isMarked = this.#isFirst && text.startsWith(BYTE_ORDER_MARK);
    this.#isFirst = false;
    this.#listener.line(isMarked ? text.slice(1) : text, bytes);
  }
}
