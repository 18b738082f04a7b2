import type { RequestContext } from '@org/mcp-decorators';

import type { ResultHeader } from '../engine/reading.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';
import type { WriteSink } from '../engine/writing.ts';
import { fencedRows } from '../rows/fenced.ts';
import type { FormatName } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { decodeRows } from '../rows/encoded-rows.ts';
import { StoredResult } from './stored-result.ts';
import type { ResultStore } from './result-store.ts';

/** Maximum size of the rows in memory, in bytes. Larger results are moved to the store. */
const MAX_MEMORY = 262_144;
/** Assumed size of the JSON of a column, without the name of the column. */
const COLUMN_BYTES = 200;

/** The destination of the rows of a statement, and the form in which they are shown. */
export interface ReturningSinkOptions {
  readonly database: SqlDatabase;
  readonly results: ResultStore;
  readonly page: Page;
  readonly format: FormatName;
  readonly structured: boolean;
  readonly context: RequestContext;
}

/** Encoded rows. */
interface EncodedRows {
  readonly encoded: Buffer;
  readonly count: number;
}

/**
 * Takes the rows that a writing statement returns. The page takes the first rows. If a result might not have room for all rows or
 * values, the store keeps all rows. If the store is full, the statement does not fail: the rows are counted, but not stored.
 */
export class ReturningSink implements WriteSink {
  /** The columns of the returned rows; `undefined` if the statement returns no columns. */
  header: ResultHeader | undefined;
  /** Number of rows that the statement has returned so far. */
  count = 0;
  readonly #options: ReturningSinkOptions;
  #waiting: EncodedRows[] = [];
  #waitingBytes = 0;
  #opening: Promise<void> | undefined;
  #kept: { readonly handle: string; readonly made: StoredResult } | undefined;
  #isLost = false;

  constructor(options: ReturningSinkOptions) {
    this.#options = options;
  }

  /** Handle of the stored rows; `undefined` if they are not stored. */
  get handle(): string | undefined {
    return this.#kept?.handle;
  }

  get busy(): Promise<void> | undefined {
    return this.#opening ?? this.#kept?.made.busy?.catch(() => this.drop());
  }

  columns(header: ResultHeader): void {
    if (header.names.length > 0) this.header = header;
  }

  rows(encoded: Buffer, count: number): void {
    this.count += count;
    this.#fillPage(encoded);
    if (this.#isLost) return;
    if (this.#kept !== undefined) return this.#append({ encoded, count });
    this.#waiting.push({ encoded, count });
    this.#waitingBytes += encoded.length;
    if (this.#options.page.truncated !== undefined || this.#waitingBytes > MAX_MEMORY) this.#opening ??= this.#open();
  }

  line(): void {
    throw new TypeError('a statement that writes does not produce lines of CSV');
  }

  notice(): void {
    // The function that runs the statement collects its notices.
  }

  /** Called after the last row. Resolves when the rows that must be stored are in the file, or could not be stored. */
  async finish(): Promise<void> {
    await this.#opening;
    if (this.#kept === undefined && !this.#isLost && this.#mayExceed()) await this.#open();
    await this.#kept?.made.finish().catch(() => this.drop());
    this.#waiting = [];
  }

  /** Removes the stored rows, and stores no more. */
  drop(): void {
    if (this.#kept !== undefined) this.#options.results.drop(this.#kept.handle);
    this.#kept = undefined;
    this.#waiting = [];
    this.#isLost = true;
  }

  /** Whether a result may lack some of the rows or values. Half of the result is reserved for notices, columns and notes. */
  #mayExceed(): boolean {
    const { page, format, structured, database } = this.#options;
    if (this.header === undefined) return false;
    const { names } = this.header;
    const textBytes = Buffer.byteLength(fencedRows(page.text(names), format));
    const columnBytes = structured ? Buffer.byteLength(JSON.stringify(names)) + COLUMN_BYTES * names.length : 0;
    const bytes = Math.max(textBytes, page.bytes + columnBytes);
    return page.truncated !== undefined || page.cutValues > 0 || bytes > database.limits.maxResultBytes / 2;
  }

  #fillPage(encoded: Buffer): void {
    const { page } = this.#options;
    if (page.truncated !== undefined) return;
    for (const row of decodeRows(encoded)) if (!page.add(row)) return;
  }

  async #open(): Promise<void> {
    const { database, results, context } = this.#options;
    try {
      const { handle, made } = await results.add((file) => new StoredResult(file, database), context, { hashed: false });
      // The statement may have failed meanwhile.
      if (this.#isLost) return results.drop(handle);
      this.#kept = { handle, made };
      if (this.header !== undefined) made.columns(this.header);
      for (const each of this.#waiting) this.#append(each);
      this.#waiting = [];
    } catch {
      this.drop();
    } finally {
      this.#opening = undefined;
    }
  }

  #append({ encoded, count }: EncodedRows): void {
    try {
      this.#kept?.made.rows(encoded, count);
    } catch {
      this.drop();
    }
  }
}
