import { endOfCharacters, type Encoding } from './encoding.ts';
import { lineEndsOf, type LineEnds } from './line-ends.ts';

/** What stands where the rest of a line was left out; of ASCII, which every encoding has. */
const CUT = ' ... [line cut]';

/** The mark in an encoding's bytes. */
function cutMark(encoding: Encoding): Buffer {
  const narrow = Buffer.from(CUT, 'latin1');
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return narrow;
  const wide = Buffer.from(CUT, 'utf16le');
  return encoding === 'utf-16le' ? wide : wide.swap16();
}

/** Cuts lines that are too long, and marks where. */
export class LongLines {
  /** How many were cut. */
  count = 0;
  /** The rest of a line is being left out. */
  isCutting = false;
  readonly #encoding: Encoding;
  readonly #maxBytes: number;
  readonly #ends: LineEnds;
  readonly #mark: Buffer;
  /** The beginning of a line that may yet become too long. */
  #begun: Buffer[] = [];
  #length = 0;

  /** @param maxBytes of a line, without its newline */
  constructor(encoding: Encoding, maxBytes: number) {
    this.#encoding = encoding;
    this.#maxBytes = maxBytes;
    this.#ends = lineEndsOf(encoding);
    this.#mark = Buffer.concat([cutMark(encoding), this.#ends.newline]);
  }

  /** What is left of a chunk, which is followed by the next. */
  *cut(chunk: Buffer): Generator<Buffer> {
    let run = 0;
    let position = 0;
    while (position < chunk.length) {
      const end = this.#ends.after(chunk, position);
      const stop = end === -1 ? chunk.length : end;
      if (this.isCutting || this.#isTooLong(stop - position, end !== -1)) {
        yield chunk.subarray(run, position);
        yield* this.#shorten(chunk.subarray(position, stop), end !== -1);
        run = stop;
      } else if (end === -1) {
        yield chunk.subarray(run, position);
        this.#begin(chunk.subarray(position));
        return;
      } else yield* this.#taken();
      position = stop;
    }
    yield chunk.subarray(run);
  }

  /** What was kept back of the last line. */
  *rest(): Generator<Buffer> {
    yield* this.#taken();
  }

  #isTooLong(length: number, isEnded: boolean): boolean {
    return this.#length + length - (isEnded ? this.#ends.newline.length : 0) > this.#maxBytes;
  }

  *#shorten(part: Buffer, isEnded: boolean): Generator<Buffer> {
    if (!this.isCutting) {
      const line = Buffer.concat([...this.#taken(), part]).subarray(0, this.#maxBytes);
      this.count += 1;
      yield Buffer.concat([line.subarray(0, endOfCharacters(line, this.#encoding)), this.#mark]);
    }
    this.isCutting = !isEnded;
  }

  #begin(part: Buffer): void {
    this.#begun.push(Buffer.from(part));
    this.#length += part.length;
  }

  #taken(): readonly Buffer[] {
    const begun = this.#begun;
    this.#begun = [];
    this.#length = 0;
    return begun;
  }
}
