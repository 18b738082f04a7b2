import { FORMATS, type FormatName, type Row, type RowFormat } from './format.ts';
import { cutText } from './fit.ts';
import { shownValue, visible } from './shown-value.ts';

/** Limits of a page. */
export interface PageLimits {
  readonly maxRows: number;
  /** Maximum number of bytes of the text with its head, and of the kept rows as JSON. */
  readonly maxBytes: number;
  readonly format: FormatName;
  /** Whether to keep the rows besides their text. */
  readonly keepRows: boolean;
}

/** Maximum size of the JSON of a page: stdio clients of the SDK close the connection at a message of 10 MiB. */
const MAX_WIRE_BYTES = 9_437_184;
/** The size of an ASCII character that JSON writes as `\u0000`; no other character grows more. */
const WIRE_BYTES_PER_BYTE = 6;
/** A value is not cut to fewer bytes than this. */
const MIN_VALUE_BYTES = 16;

/** The limit that a page reached before it had all rows. */
export type Truncation = 'rows' | 'bytes';

/** A row as text, and its values as they are shown. */
interface Line {
  readonly text: string;
  readonly values: Row;
  /** Number of values that are cut. */
  readonly cut: number;
}

/** Rows as text, collected until a limit is reached. */
export class Page {
  truncated: Truncation | undefined;
  readonly #limits: PageLimits;
  readonly #format: RowFormat;
  readonly #countsWire: boolean;
  readonly #lines: Line[] = [];
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

  /** Number of values that are cut. */
  get cutValues(): number {
    return this.#lines.reduce((sum, { cut }) => sum + cut, 0);
  }

  /** The rows with their values as they are shown. */
  get rows(): Row[] {
    return this.#lines.map(({ values }) => values);
  }

  /** Adds a row; cuts the values of a first row that exceeds the limit. Returns `false` if a limit is reached instead. */
  add(row: Row): boolean {
    if (this.truncated !== undefined) return false;
    if (this.count === this.#limits.maxRows) return this.#end('rows');
    if (this.#take(row)) return true;
    if (this.count > 0) return this.#end('bytes');
    let valueBytes = Math.floor(this.#limits.maxBytes / (row.length + 1));
    while (valueBytes >= MIN_VALUE_BYTES) {
      if (this.#take(row, valueBytes)) return true;
      valueBytes = Math.floor(valueBytes / 2);
    }
    return this.#end('bytes');
  }

  /** Returns the rows below their head, and drops the last rows if the head makes the text exceed the limit. */
  text(columns: readonly string[]): string {
    const head = this.#format.head(columns.map(visible));
    const allowed = this.#limits.maxBytes - Buffer.byteLength(head);
    while (this.#bytes > allowed && this.count > 1) {
      this.#bytes -= Buffer.byteLength(this.#lines.pop()?.text ?? '');
      this.truncated = 'bytes';
    }
    const text = head + this.#lines.map(({ text: line }) => line).join('');
    return allowed < 0 ? cutText(text, this.#limits.maxBytes) : text;
  }

  /** Adds a row if the limits allow it. */
  #take(row: Row, maxValueBytes?: number): boolean {
    const shown = row.map((value) => shownValue(value, maxValueBytes));
    const values = shown.map(({ text }) => text);
    const text = this.#format.row(values.map((value) => (value === null ? null : visible(value))));
    const bytes = this.#bytes + Buffer.byteLength(text);
    const jsonBytes = this.#limits.keepRows ? this.#jsonBytes + jsonBytesOf(values) : 0;
    const wireBytes = this.#countsWire ? this.#wireBytes + jsonBytesOf(text) + jsonBytes - this.#jsonBytes : 0;
    if (Math.max(bytes, jsonBytes) > this.#limits.maxBytes || wireBytes > MAX_WIRE_BYTES) return false;
    this.#bytes = bytes;
    this.#jsonBytes = jsonBytes;
    this.#wireBytes = wireBytes;
    this.#lines.push({ text, values: this.#limits.keepRows ? values : [], cut: shown.filter(({ cut }) => cut).length });
    return true;
  }

  #end(reason: Truncation): false {
    this.truncated = reason;
    return false;
  }
}

function jsonBytesOf(value: Row | string): number {
  return Buffer.byteLength(JSON.stringify(value));
}
