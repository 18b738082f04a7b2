import { FORMATS, type FormatName, type Row, type RowFormat } from './format.ts';
import { prefix, shownValue, visible } from './shown-value.ts';

/** Limits of a page. */
export interface PageLimits {
  readonly maxRows: number;
  /** Maximum size of the rows with their head as text. Also the maximum size of the kept rows as JSON. */
  readonly maxBytes: number;
  readonly format: FormatName;
  /** Maximum size of a shown value. Default: 4 KiB. */
  readonly maxValueBytes?: number;
  /** Whether the page keeps the values of the rows for structured content, in addition to their text. */
  readonly keepRows: boolean;
  /** The page keeps the values of a row for a view if the rows before it have less than this size as text. Default: 0 */
  readonly maxViewedBytes?: number;
}

/** Maximum size of the JSON of a page: stdio clients of the SDK close the connection at a message of 10 MiB. */
const MAX_WIRE_BYTES = 9_437_184;
/** Maximum number of bytes that JSON needs per byte of text: six for a control character such as `\u0000`. */
const WIRE_BYTES_PER_BYTE = 6;
/** Minimum number of bytes to which a value may be cut. */
const MIN_VALUE_BYTES = 16;
/** Maximum size of the note after a cut head, in bytes. */
const HEAD_NOTE_BYTES = 48;

/** Which limit ended a page before all rows: the number of rows, or the number of bytes. */
export type Truncation = 'rows' | 'bytes';

/** A row as text, and its values after cutting. */
interface Line {
  readonly text: string;
  readonly values: Row;
  /** Number of values in the row that are cut. */
  readonly cut: number;
  readonly bytes: number;
  /** Bytes that the kept row adds to the JSON, including a comma; 0 if the page keeps no rows. */
  readonly jsonBytes: number;
  readonly wireBytes: number;
}

/** Rows as text, collected until a limit is reached. */
export class Page {
  truncated: Truncation | undefined;
  readonly #limits: PageLimits;
  readonly #format: RowFormat;
  readonly #countsWire: boolean;
  readonly #lines: Line[] = [];
  /** The complete first row, so that its values can be cut again. */
  #first: Row = [];
  /** Maximum size of each value of the first row, in bytes. `undefined` if only the default limit applies to these values. */
  #firstValueBytes: number | undefined;
  #maxHeadBytes = Infinity;
  #headBytes = 0;
  #bytes = 0;
  #jsonBytes = 0;
  #wireBytes = 0;

  constructor(limits: PageLimits) {
    this.#limits = limits;
    this.#format = FORMATS[limits.format];
    this.#countsWire = limits.keepRows || limits.maxBytes * WIRE_BYTES_PER_BYTE > MAX_WIRE_BYTES;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Number of values that are cut in all rows of the page. */
  get cutValues(): number {
    return this.#lines.reduce((sum, { cut }) => sum + cut, 0);
  }

  /** The kept rows, with their values after cutting. A row whose values are not kept is empty. */
  get rows(): Row[] {
    return this.#lines.map(({ values }) => values);
  }

  /** Size of the rows as text; the size as JSON if the page keeps the rows and the JSON is larger. */
  get bytes(): number {
    return Math.max(this.#bytes, this.#jsonBytes);
  }

  /** Adds a row. Returns `false` if a limit is reached. If the first row exceeds the limit of bytes, its values are cut. */
  add(row: Row): boolean {
    if (this.truncated !== undefined) return false;
    if (this.count === this.#limits.maxRows) return this.#end('rows');
    if (this.count === 0) this.#first = row;
    if (this.#push(this.#line(row))) return true;
    return this.count === 0 && this.#addCut(this.#limits.maxBytes) ? true : this.#end('bytes');
  }

  /** Returns the rows below their head, and drops the last rows if the head makes the text exceed the limit. */
  text(columns: readonly string[]): string {
    const whole = this.#format.head(columns.map(visible));
    for (;;) {
      const head = this.#cutHead(whole);
      this.#headBytes = Buffer.byteLength(head);
      const excess = this.#headBytes + this.#bytes - this.#limits.maxBytes;
      if (excess <= 0 || !this.shrink(excess)) return head + this.#lines.map(({ text }) => text).join('');
    }
  }

  /**
   * Makes the page smaller by about `bytes` bytes: drops rows from the end, but not the first row. If only the first row remains,
   * cuts its values or drops the row. Without rows, the next call of `text` cuts the head. Returns `false` if the page cannot
   * become smaller.
   */
  shrink(bytes: number): boolean {
    if (this.count > 1) this.#dropRows(bytes);
    else if (this.count === 1) this.#shrinkFirst(bytes);
    else if (this.#headBytes <= HEAD_NOTE_BYTES) return false;
    else this.#maxHeadBytes = Math.max(0, this.#headBytes - bytes - HEAD_NOTE_BYTES);
    return true;
  }

  #dropRows(bytes: number): void {
    const { keepRows } = this.#limits;
    for (let dropped = 0; dropped < bytes && this.count > 1;) {
      const line = this.#pop();
      dropped += keepRows ? Math.min(line.bytes, line.jsonBytes) : line.bytes;
    }
    this.truncated = 'bytes';
  }

  #shrinkFirst(bytes: number): void {
    const line = this.#pop();
    if (this.#addCut(line.bytes - bytes, line.jsonBytes - bytes)) return;
    this.truncated = 'bytes';
  }

  /** Adds the first row with its values cut so far that text and JSON fit. Returns `false` if even the shortest values do not fit. */
  #addCut(maxBytes: number, maxJsonBytes: number = maxBytes): boolean {
    const { keepRows } = this.#limits;
    let valueBytes = this.#firstValueBytes ?? Math.floor(this.#limits.maxBytes / (this.#first.length + 1));
    for (; valueBytes >= MIN_VALUE_BYTES; valueBytes = Math.floor(valueBytes / 2)) {
      const line = this.#line(this.#first, valueBytes);
      if (line.bytes > maxBytes || (keepRows && line.jsonBytes > maxJsonBytes) || !this.#push(line)) continue;
      this.#firstValueBytes = valueBytes;
      return true;
    }
    return false;
  }

  #line(row: Row, maxValueBytes: number | undefined = this.#limits.maxValueBytes): Line {
    const { keepRows, maxViewedBytes = 0 } = this.#limits;
    const shown = row.map((value) => shownValue(value, maxValueBytes));
    const values = shown.map(({ text }) => text);
    const text = this.#format.row(values.map((value) => (value === null ? null : visible(value))));
    const jsonBytes = keepRows ? measureJson(values) + 1 : 0;
    return {
      text,
      values: keepRows || this.#bytes < maxViewedBytes ? values : [],
      cut: shown.filter(({ cut }) => cut).length,
      bytes: Buffer.byteLength(text),
      jsonBytes,
      wireBytes: this.#countsWire ? measureJson(text) + jsonBytes : 0,
    };
  }

  /** Adds a line if the limits allow it. Returns whether the line was added. */
  #push(line: Line): boolean {
    const bytes = Math.max(this.#bytes + line.bytes, this.#jsonBytes + line.jsonBytes);
    if (bytes > this.#limits.maxBytes || this.#wireBytes + line.wireBytes > MAX_WIRE_BYTES) return false;
    this.#bytes += line.bytes;
    this.#jsonBytes += line.jsonBytes;
    this.#wireBytes += line.wireBytes;
    this.#lines.push(line);
    return true;
  }

  #pop(): Line {
    const line = this.#lines.pop();
    if (line === undefined) throw new RangeError('the page has no row');
    this.#bytes -= line.bytes;
    this.#jsonBytes -= line.jsonBytes;
    this.#wireBytes -= line.wireBytes;
    return line;
  }

  #cutHead(head: string): string {
    const bytes = Buffer.byteLength(head);
    return bytes <= this.#maxHeadBytes ? head : `${prefix(head, this.#maxHeadBytes)}… [cut from ${bytes} bytes]`;
  }

  #end(reason: Truncation): false {
    this.truncated = reason;
    return false;
  }
}

function measureJson(value: Row | string): number {
  return Buffer.byteLength(JSON.stringify(value));
}
