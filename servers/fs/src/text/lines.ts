import { findLastCharacterEnd, type Encoding } from './encoding.ts';

interface CollectorOptions {
  readonly limit: number;
  readonly maxBytes: number;
  readonly maxLineBytes: number | undefined;
  readonly encoding: Encoding;
}

/** Collects the first lines of a stream of chunks, up to limits of lines and bytes. */
export class LineCollector {
  /** Whether the stream contains more than the collected lines. */
  hasMore = false;
  readonly #options: CollectorOptions;
  readonly #ends: LineEnds;
  readonly #long: LineShortener | undefined;
  readonly #parts: Buffer[] = [];
  #length = 0;
  #lines = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#ends = selectLineEnds(options.encoding);
    this.#long = options.maxLineBytes === undefined ? undefined : new LineShortener(options.encoding, options.maxLineBytes);
  }

  /** Maximum number of bytes that must be read; `Infinity` if long lines are cut. */
  get reach(): number {
    return this.#long === undefined ? this.#options.maxBytes + 1 : Number.POSITIVE_INFINITY;
  }

  /** Number of lines that were cut because they are too long. */
  get cutLines(): number {
    return this.#long?.count ?? 0;
  }

  /** Whether more bytes were collected than the limit allows. */
  get isOver(): boolean {
    return this.#length > this.#options.maxBytes;
  }

  /** Adds the lines of a chunk. Returns whether the next chunk is needed. */
  add(chunk: Buffer): boolean {
    this.#takeAll(this.#long?.cut(chunk) ?? [chunk]);
    // The rest of a cut line is not needed. Its end may be far away, or missing in a hole of a sparse file.
    if (this.#long?.isCutting === true && (this.#isFull || isHole(chunk))) this.hasMore = true;
    return !this.hasMore;
  }

  /** Returns at most `maxBytes` in whole lines, or the beginning of a single longer line in whole characters. */
  finish(): Buffer {
    this.#takeAll(this.#long?.rest() ?? []);
    const whole = Buffer.concat(this.#parts, this.#length);
    if (!this.isOver) return whole;
    const { maxBytes, encoding } = this.#options;
    const room = whole.subarray(0, maxBytes);
    const end = findLastLineEnd(room, this.#ends);
    return room.subarray(0, end === -1 ? findLastCharacterEnd(room, encoding) : end);
  }

  get #isFull(): boolean {
    return this.#lines >= this.#options.limit || this.isOver;
  }

  #takeAll(pieces: Iterable<Buffer>): void {
    for (const piece of pieces) {
      this.#take(piece);
      if (this.hasMore) return;
    }
  }

  #take(piece: Buffer): void {
    const { limit, maxBytes } = this.#options;
    const room = this.#isFull ? piece.subarray(0, 0) : piece.subarray(0, maxBytes + 1 - this.#length);
    const { position, lines } = skipLinesInBytes(room, limit - this.#lines, this.#ends);
    if (position > 0) this.#parts.push(Buffer.from(room.subarray(0, position)));
    this.#length += position;
    this.#lines += lines;
    this.hasMore = position < piece.length || this.isOver;
  }
}

/** Text that replaces the rest of a cut line. It contains only ASCII characters, which every encoding has. */
const CUT = ' ... [line cut]';

function encodeCutMark(encoding: Encoding): Buffer {
  const narrow = Buffer.from(CUT, 'latin1');
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return narrow;
  const wide = Buffer.from(CUT, 'utf16le');
  return encoding === 'utf-16le' ? wide : wide.swap16();
}

/** Cuts long lines and marks the cut. */
export class LineShortener {
  /** Number of cut lines. */
  count = 0;
  /** Whether the current line was cut, so that the rest of the line is skipped. */
  isCutting = false;
  readonly #encoding: Encoding;
  readonly #maxBytes: number;
  readonly #ends: LineEnds;
  readonly #mark: Buffer;
  /** The beginning of a line whose length is still unknown. */
  #begun: Buffer[] = [];
  #length = 0;

  /** @param maxBytes maximum number of bytes of a line, without its newline */
  constructor(encoding: Encoding, maxBytes: number) {
    this.#encoding = encoding;
    this.#maxBytes = maxBytes;
    this.#ends = selectLineEnds(encoding);
    this.#mark = Buffer.concat([encodeCutMark(encoding), this.#ends.newline]);
  }

  /** Yields a chunk in pieces, with its long lines cut. Keeps the beginning of the last line back while its length is unknown. */
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

  /** Yields the pending beginning of the last line. */
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
      yield Buffer.concat([line.subarray(0, findLastCharacterEnd(line, this.#encoding)), this.#mark]);
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

/** Finds line breaks in the bytes of an encoding. The bytes must begin with a whole character. */
export interface LineEnds {
  readonly newline: Buffer;
  /** Returns the position after the next newline, or -1. `isNear` is a hint that the newline is close. */
  after(bytes: Buffer, from: number, isNear?: boolean): number;
}

const NEWLINE = 0x0a;

/** Number of bytes that are checked one by one before `indexOf` is called. For a short line, a call of `indexOf` takes longer. */
const NEAR = 16;

/** A sequence of zeros that no text contains, but a hole of a sparse file or a binary format may. */
const HOLE = Buffer.alloc(4);

export function selectLineEnds(encoding: Encoding): LineEnds {
  if (encoding === 'utf-16le') return LITTLE;
  return encoding === 'utf-16be' ? BIG : NARROW;
}

/**
 * Skips at most `wanted` lines. Returns the position after the skipped lines, or the end of the bytes, and the number of
 * skipped newlines.
 */
export function skipLinesInBytes(
  bytes: Buffer,
  wanted: number,
  ends: LineEnds,
): { readonly position: number; readonly lines: number } {
  let lines = 0;
  let position = 0;
  let isShort = true;
  while (lines < wanted) {
    const end = ends.after(bytes, position, isShort);
    if (end === -1) return { position: bytes.length, lines };
    isShort = end - position <= NEAR;
    position = end;
    lines += 1;
  }
  return { position, lines };
}

/** Counts lines, including a last line without a newline. */
export function countLines(bytes: Buffer, ends: LineEnds): number {
  const { lines } = skipLinesInBytes(bytes, Number.POSITIVE_INFINITY, ends);
  return lines + (bytes.length > 0 && !endsLine(bytes, ends) ? 1 : 0);
}

export function endsLine(bytes: Buffer, { newline }: LineEnds): boolean {
  return bytes.subarray(-newline.length).equals(newline);
}

/**
 * Returns whether a chunk without a newline cannot be text. The search for a newline must end there, because a hole of a sparse
 * file can have terabytes.
 */
export function isHole(chunk: Buffer): boolean {
  return chunk.includes(HOLE);
}

const NARROW: LineEnds = {
  newline: Buffer.from([NEWLINE]),
  after(bytes, from, isNear = true) {
    const far = isNear ? Math.min(from + NEAR, bytes.length) : from;
    for (let position = from; position < far; position += 1) if (bytes[position] === NEWLINE) return position + 1;
    const found = bytes.indexOf(NEWLINE, far);
    return found === -1 ? -1 : found + 1;
  },
};

const LITTLE: LineEnds = {
  newline: Buffer.from([NEWLINE, 0]),
  after: (bytes, from) => findWideNewline(bytes, from, (at) => at % 2 === 0 && bytes[at + 1] === 0),
};

const BIG: LineEnds = {
  newline: Buffer.from([0, NEWLINE]),
  after: (bytes, from) => findWideNewline(bytes, from, (at) => at % 2 === 1 && bytes[at - 1] === 0),
};

/** Returns the end of the next newline of two bytes, or -1. */
function findWideNewline(bytes: Buffer, from: number, isNewline: (at: number) => boolean): number {
  let at = bytes.indexOf(NEWLINE, from);
  while (at !== -1 && !isNewline(at)) at = bytes.indexOf(NEWLINE, at + 1);
  return at === -1 ? -1 : at - (at % 2) + 2;
}

/** Returns the position after the last newline, or -1. */
function findLastLineEnd(bytes: Buffer, { newline }: LineEnds): number {
  let at = bytes.lastIndexOf(newline);
  // Two bytes that look like a newline may belong to two characters.
  while (at > 0 && at % newline.length !== 0) at = bytes.lastIndexOf(newline, at - 1);
  return at === -1 || at % newline.length !== 0 ? -1 : at + newline.length;
}

/** Returns the text with the number of each line and a tab before the line. @param first number of the first line */
export function numberLines(text: string, first: number): string {
  const lines = text.split('\n');
  const last = lines.at(-1) === '' ? lines.pop() : undefined;
  const shown = lines.map((line, index) => `${first + index}\t${line}`);
  return [...shown, ...(last === undefined ? [] : [last])].join('\n');
}
