import { FORMATS, type FormatName, type Row, type RowFormat } from './format.ts';
import { shownValue, visible } from './shown-value.ts';

/** What a page may hold. */
export interface PageLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly format: FormatName;
  /** Keep the rows besides their text. */
  readonly keepRows: boolean;
}

/** Bytes of rows as JSON that fit into a message: the SDK's stdio clients close at one of 10 MiB. */
const MAX_WIRE_BYTES = 9_437_184;
/** Of an ASCII character that JSON writes as `\u0000`; no other grows as much. */
const WIRE_BYTES_PER_BYTE = 6;

/** Why a page does not hold every row. */
export type Truncation = 'rows' | 'bytes';

/** Rows as text, collected until a limit is reached. */
export class Page {
  readonly rows: Row[] = [];
  count = 0;
  cutValues = 0;
  truncated: Truncation | undefined;
  readonly #limits: PageLimits;
  readonly #format: RowFormat;
  readonly #countsWire: boolean;
  readonly #lines: string[] = [];
  #bytes = 0;
  #wireBytes = 0;

  constructor(limits: PageLimits) {
    this.#limits = limits;
    this.#format = FORMATS[limits.format];
    this.#countsWire = limits.keepRows || limits.maxBytes * WIRE_BYTES_PER_BYTE > MAX_WIRE_BYTES;
  }

  /** Takes a row, or none any more: false once a limit was reached. */
  add(row: Row): boolean {
    if (this.truncated !== undefined) return false;
    if (this.count === this.#limits.maxRows) return this.#end('rows');
    const values: (string | null)[] = [];
    let cutValues = 0;
    for (const value of row) {
      const { text, cut } = shownValue(value);
      values.push(text);
      if (cut) cutValues += 1;
    }
    const line = this.#format.row(values.map((value) => (value === null ? null : visible(value))));
    if (!this.#fits(line, values)) return this.#end('bytes');
    this.#lines.push(line);
    this.count += 1;
    this.cutValues += cutValues;
    if (this.#limits.keepRows) this.rows.push(values);
    return true;
  }

  /** The rows below their head. */
  text(columns: readonly string[]): string {
    return this.#format.head(columns.map(visible)) + this.#lines.join('');
  }

  #fits(line: string, values: Row): boolean {
    const { maxBytes, keepRows } = this.#limits;
    this.#bytes += Buffer.byteLength(line);
    if (this.#countsWire) this.#wireBytes += Buffer.byteLength(JSON.stringify(line));
    if (keepRows) this.#wireBytes += Buffer.byteLength(JSON.stringify(values));
    return this.#bytes <= maxBytes && this.#wireBytes <= MAX_WIRE_BYTES;
  }

  #end(reason: Truncation): false {
    this.truncated = reason;
    return false;
  }
}
