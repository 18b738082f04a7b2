import type { RequiredSequence } from './required-sequence.ts';

const NEWLINE = 0x0a;

/** The range of a match. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A searched part of a file. Positions are byte offsets or character offsets, depending on the implementation. */
export interface SearchedText {
  /** Start of the search. */
  readonly from: number;
  /** Returns the first match at or after a position, or `undefined`. */
  find(from: number): Span | undefined;
  /** Returns the start of the line at a position. */
  lineStart(at: number): number;
  /** Returns the end of the line at a position, before its line break. */
  lineEnd(at: number): number;
  /** Counts the line breaks between two positions. */
  breaks(from: number, to: number): number;
  text(from: number, to: number): string;
}

interface Bounds {
  readonly from: number;
  /** Matches begin before this position. */
  readonly until: number;
}

/** Searches for the bytes of a literal text, so that only shown lines are decoded. */
export class BytesText implements SearchedText {
  readonly from: number;
  readonly #until: number;
  readonly #bytes: Buffer;
  readonly #needle: Buffer;
  readonly #word: boolean;

  constructor(bytes: Buffer, { from, until }: Bounds, { needle, word }: { readonly needle: Buffer; readonly word: boolean }) {
    this.#bytes = bytes;
    this.from = from;
    this.#until = until;
    this.#needle = needle;
    this.#word = word;
  }

  find(from: number): Span | undefined {
    for (
      let start = this.#bytes.indexOf(this.#needle, from);
      start !== -1;
      start = this.#bytes.indexOf(this.#needle, start + 1)
    ) {
      if (start >= this.#until) return undefined;
      const end = start + this.#needle.length;
      if (!this.#word || !(isWordByte(this.#bytes[start - 1]) || isWordByte(this.#bytes[end]))) return { start, end };
    }
    return undefined;
  }

  lineStart(at: number): number {
    return at === 0 ? 0 : this.#bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  }

  lineEnd(at: number): number {
    const end = this.#bytes.indexOf(NEWLINE, at);
    return end === -1 ? this.#bytes.length : end;
  }

  breaks(from: number, to: number): number {
    return countBreaks(this.#bytes, from, to);
  }

  text(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }
}

/** Searches a whole text with a regular expression that either matches no line breaks or is meant to match them. */
export class StringText implements SearchedText {
  readonly from: number;
  readonly #until: number;
  protected readonly whole: string;
  protected readonly expression: RegExp;

  constructor(bytes: Buffer, { from, until }: Bounds, expression: RegExp) {
    const isWhole = from === 0 && until === bytes.length;
    this.whole = bytes.toString('utf8');
    this.from = isWhole ? 0 : bytes.toString('utf8', 0, from).length;
    this.#until = isWhole ? Infinity : this.from + bytes.toString('utf8', from, until).length;
    this.expression = expression;
  }

  find(from: number): Span | undefined {
    this.expression.lastIndex = from;
    const match = this.expression.exec(this.whole);
    if (match === null || match.index >= this.#until) return undefined;
    // A match at the end of an empty text, or after the last line break, is skipped, because no line begins there.
    if (match.index === this.whole.length && (this.whole === '' || this.whole.endsWith('\n'))) return undefined;
    return { start: match.index, end: match.index + match[0].length };
  }

  lineStart(at: number): number {
    return at === 0 ? 0 : this.whole.lastIndexOf('\n', at - 1) + 1;
  }

  lineEnd(at: number): number {
    const end = this.whole.indexOf('\n', at);
    return end === -1 ? this.whole.length : end;
  }

  breaks(from: number, to: number): number {
    let breaks = 0;
    for (let at = this.whole.indexOf('\n', from); at !== -1 && at < to; at = this.whole.indexOf('\n', at + 1)) breaks += 1;
    return breaks;
  }

  text(from: number, to: number): string {
    return this.whole.slice(from, to);
  }

  protected isWithin(at: number): boolean {
    return at < this.#until && at < this.whole.length;
  }
}

/**
 * Searches each line separately with a regular expression. With `required`, searches only the lines that contain this
 * sequence.
 */
export class LinesText extends StringText {
  readonly #required: RequiredSequence | undefined;

  constructor(bytes: Buffer, bounds: Bounds, expression: RegExp, required: RequiredSequence | undefined) {
    super(bytes, bounds, expression);
    this.#required = required;
  }

  override find(from: number): Span | undefined {
    for (let start = from; this.isWithin(start);) {
      const candidate = this.#required === undefined ? start : this.#required.find(this.whole, start);
      // The lines from the end of the part on are searched with the next part.
      if (candidate === undefined || !this.isWithin(candidate)) return undefined;
      const begin = this.lineStart(candidate);
      const end = this.lineEnd(candidate);
      const line = this.text(begin, end).replace(/\r$/, '');
      this.expression.lastIndex = Math.max(0, start - begin);
      const match = this.expression.exec(line);
      if (match !== null) return { start: begin + match.index, end: begin + match.index + match[0].length };
      start = end + 1;
    }
    return undefined;
  }
}

export function countBreaks(bytes: Buffer, from: number, to: number): number {
  let breaks = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) breaks += 1;
  return breaks;
}

/** Returns whether a byte belongs to a word: a letter, a digit, the underscore or a byte of a non-ASCII character. */
function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x80 || /\w/.test(String.fromCharCode(byte)));
}
