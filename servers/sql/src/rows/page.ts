import { FORMATS, type FormatName, type Row } from './format.ts';
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

/** Why a page does not hold every row. */
export type Truncation = 'rows' | 'bytes';

/** Rows as text, collected until a limit is reached. */
export class Page {
  readonly rows: Row[] = [];
  count = 0;
  cutValues = 0;
  truncated: Truncation | undefined;
  readonly #limits: PageLimits;
  readonly #lines: string[] = [];
  #bytes = 0;
  #wireBytes = 0;

  constructor(limits: PageLimits) {
    this.#limits = limits;
  }

  /** Takes a row, or none any more: false once a limit was reached. */
  add(row: Row): boolean {
    if (this.truncated !== undefined) return false;
    if (this.count === this.#limits.maxRows) return this.#end('rows');
    const shown = row.map(shownValue);
    const values = shown.map(({ text }) => text);
    const line = FORMATS[this.#limits.format].row(values.map((value) => (value === null ? null : visible(value))));
    if (!this.#fits(line, values)) return this.#end('bytes');
    this.#lines.push(line);
    this.count += 1;
    this.cutValues += shown.filter(({ cut }) => cut).length;
    if (this.#limits.keepRows) this.rows.push(values);
    return true;
  }

  /** The rows below their head. */
  text(columns: readonly string[]): string {
    return FORMATS[this.#limits.format].head(columns.map(visible)) + this.#lines.join('');
  }

  #fits(line: string, values: Row): boolean {
    const { maxBytes, keepRows } = this.#limits;
    this.#bytes += Buffer.byteLength(line);
    this.#wireBytes += Buffer.byteLength(JSON.stringify(line));
    if (keepRows) this.#wireBytes += Buffer.byteLength(JSON.stringify(values));
    return this.#bytes <= maxBytes && this.#wireBytes <= MAX_WIRE_BYTES;
  }

  #end(reason: Truncation): false {
    this.truncated = reason;
    return false;
  }
}
