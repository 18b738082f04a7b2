import { endOfCharacters, type Encoding } from './encoding.ts';
import { endOfLines, isHole, lastLineEnd, lineEndsOf, type LineEnds } from './line-ends.ts';
import { LongLines } from './long-lines.ts';

interface Wanted {
  readonly limit: number;
  readonly maxBytes: number;
  readonly maxLineBytes: number | undefined;
  readonly encoding: Encoding;
}

/** The lines that are wanted, from the beginning of what is added. */
export class WantedLines {
  /** There was something behind what was wanted, or had room. */
  hasMore = false;
  readonly #wanted: Wanted;
  readonly #ends: LineEnds;
  readonly #long: LongLines | undefined;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #lines = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#ends = lineEndsOf(wanted.encoding);
    this.#long = wanted.maxLineBytes === undefined ? undefined : new LongLines(wanted.encoding, wanted.maxLineBytes);
  }

  /** How many bytes may be wanted. */
  get reach(): number {
    return this.#long === undefined ? this.#wanted.maxBytes + 1 : Number.POSITIVE_INFINITY;
  }

  /** Lines that were cut because they were too long. */
  get cutLines(): number {
    return this.#long?.count ?? 0;
  }

  /** More than had room. */
  get isOver(): boolean {
    return this.#length > this.#wanted.maxBytes;
  }

  /** Copies what is wanted of a chunk; whether the next is wanted, too. */
  add(chunk: Buffer): boolean {
    this.#takeAll(this.#long?.cut(chunk) ?? [chunk]);
    // Of a line that is cut nothing more is wanted; its end may be far, and in a hole it never comes.
    if (this.#long?.isCutting === true && (this.#isFull || isHole(chunk))) this.hasMore = true;
    return !this.hasMore;
  }

  /** At most `maxBytes`, up to the last line end in them; of one longer line, up to the last whole character. */
  finish(): Buffer {
    this.#takeAll(this.#long?.rest() ?? []);
    const whole = Buffer.concat(this.#parts, this.#length);
    if (!this.isOver) return whole;
    const { maxBytes, encoding } = this.#wanted;
    const room = whole.subarray(0, maxBytes);
    const end = lastLineEnd(room, this.#ends);
    return room.subarray(0, end === -1 ? endOfCharacters(room, encoding) : end);
  }

  get #isFull(): boolean {
    return this.#lines >= this.#wanted.limit || this.isOver;
  }

  #takeAll(pieces: Iterable<Buffer>): void {
    for (const piece of pieces) {
      this.#take(piece);
      if (this.hasMore) return;
    }
  }

  #take(piece: Buffer): void {
    const { limit, maxBytes } = this.#wanted;
    const room = this.#isFull ? piece.subarray(0, 0) : piece.subarray(0, maxBytes + 1 - this.#length);
    const { position, lines } = endOfLines(room, limit - this.#lines, this.#ends);
    if (position > 0) this.#parts.push(Buffer.from(room.subarray(0, position)));
    this.#length += position;
    this.#lines += lines;
    this.hasMore = position < piece.length || this.isOver;
  }
}
