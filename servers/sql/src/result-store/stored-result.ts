import { getCaller, setCaller } from '@org/mcp-decorators';

import type { ResultHeader, StreamSink } from '../engine/reading.ts';
import type { SqlDatabase } from '../engine/sql-database.ts';
import type { Row } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { decodeRows } from '../rows/encoded-rows.ts';
import { droppedRowsError } from './handle-errors.ts';
import type { ResultFile } from './result-file.ts';

/** A block of rows that are read together. The file contains encoded rows. */
interface Block {
  readonly first: number;
  readonly rows: number;
  readonly position: number;
  readonly length: number;
}

/** A block ends when it has at least this number of rows, or at least this number of bytes. */
const BLOCK_ROWS = 250;
const BLOCK_BYTES = 16_384;
/** Maximum number of stored notices. */
const MAX_NOTICES = 20;

const NO_COLUMNS: ResultHeader = { names: [], describe: () => Promise.resolve([]) };

/** A file with all rows of one statement. The rows can be read while further rows arrive. */
export class StoredResult implements StreamSink, AsyncDisposable {
  /** The database of the statement. */
  readonly database: SqlDatabase;
  readonly notices: string[] = [];
  header: ResultHeader = NO_COLUMNS;
  readonly #file: ResultFile;
  readonly #blocks: Block[] = [];
  readonly #waiters: (() => void)[] = [];
  readonly #ending = new AbortController();
  #page: Page | undefined;
  #pageIsFull: () => void = () => undefined;
  #filling: Promise<void> = Promise.resolve();
  /** Rows that are in the file, but in no block yet. */
  #waiting = { rows: 0, bytes: 0 };
  #stored = 0;
  #whole = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(file: ResultFile, database: SqlDatabase) {
    this.#file = file;
    this.database = database;
  }

  /** Whether the statement has ended or failed. */
  get finished(): boolean {
    return this.#whole || this.#failure !== undefined;
  }

  /** Number of rows; `undefined` while further rows may arrive, and if the statement failed. */
  get total(): number | undefined {
    return this.#whole ? this.#stored : undefined;
  }

  get busy(): Promise<void> | undefined {
    return this.#file.busy;
  }

  /** Runs the statement; resolves when the page is full or all rows have arrived, and rejects if the statement fails or `signal` aborts before. */
  async fill(page: Page, run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#page = page;
    const full = new Promise<void>((resolve) => {
      this.#pageIsFull = resolve;
    });
    const abort = (): void => this.#ending.abort(signal.reason);
    signal.addEventListener('abort', abort);
    // The statement continues after the call. Its signal gets the caller, so that the connection of the statement still counts
    // for this caller.
    setCaller(this.#ending.signal, getCaller(signal));
    this.#filling = run(this.#ending.signal).then(
      () => this.#end(),
      (error: unknown) => this.#fail(error),
    );
    await Promise.race([this.#filling, full]);
    signal.removeEventListener('abort', abort);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  columns(header: ResultHeader): void {
    this.header = header;
  }

  rows(encoded: Buffer, count: number): void {
    if (this.#page !== undefined) this.#fillPage(this.#page, encoded);
    this.#file.append(encoded);
    this.#waiting.rows += count;
    this.#waiting.bytes += encoded.length;
    if (this.#waiting.bytes >= BLOCK_BYTES || this.#waiting.rows >= BLOCK_ROWS) this.#endBlock();
  }

  /** Ends the rows of a statement that was not run by `fill`; resolves when all rows are in the file. @throws ToolError TOO_LARGE, IO, NO_SPACE */
  async finish(): Promise<void> {
    await this.#end();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  line(): void {
    throw new TypeError('a stored result cannot contain lines of CSV');
  }

  notice(text: string): void {
    if (this.notices.length < MAX_NOTICES) this.notices.push(text);
  }

  /**
   * Yields the rows from an offset in blocks; waits for rows that have not arrived yet.
   *
   * @throws the error of a failed statement, after the rows of its complete blocks
   */
  async *rowsFrom(offset: number, signal: AbortSignal): AsyncGenerator<Iterable<Row>> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      await this.#until(offset, signal);
      const start = this.#blocks.findLastIndex(({ first }) => first <= offset);
      for (let index = start, next = offset; this.#stored > next; index += 1) {
        const block = this.#blocks[index];
        if (block === undefined) break;
        yield decodeRows(await this.#file.read(block.position, block.length), Math.max(0, offset - block.first));
        next = block.first + block.rows;
        await this.#until(next, signal);
      }
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  /** Ends the statement if it still runs, and removes the rows. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(droppedRowsError());
    await this.#filling;
    await this.#file[Symbol.asyncDispose]();
  }

  /** Waits until more than `rows` rows can be read, or the statement has ended. */
  async #until(rows: number, signal: AbortSignal): Promise<void> {
    while (this.#stored <= rows && !this.finished && !signal.aborted)
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    signal.throwIfAborted();
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #fillPage(page: Page, encoded: Buffer): void {
    for (const row of decodeRows(encoded))
      if (!page.add(row)) {
        this.#page = undefined;
        return this.#pageIsFull();
      }
  }

  #endBlock(): void {
    const { rows, bytes } = this.#waiting;
    this.#blocks.push({ first: this.#stored, rows, position: this.#file.bytes - bytes, length: bytes });
    this.#stored += rows;
    this.#waiting = { rows: 0, bytes: 0 };
    this.#wake();
  }

  async #end(): Promise<void> {
    try {
      if (this.#waiting.rows > 0) this.#endBlock();
      await this.#file.flush();
      this.#whole = true;
      this.#wake();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }
}
