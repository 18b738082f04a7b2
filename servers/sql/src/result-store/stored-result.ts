import { getCaller, setCaller } from '@org/mcp-decorators';

import type { Fields } from '../postgres/database/query/column-types.ts';
import type { Database } from '../postgres/database/database.ts';
import type { StreamSink } from '../postgres/database/protocol/row-stream.ts';
import type { Row } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { sentRows } from '../rows/sent-rows.ts';
import { droppedRowsError } from './handle-errors.ts';
import type { ResultFile } from './result-file.ts';

/** A block of rows that are read together. The file contains the rows as messages of the protocol. */
interface Block {
  readonly first: number;
  readonly rows: number;
  readonly position: number;
  readonly length: number;
}

/** A block ends after this number of rows, or this number of bytes. */
const BLOCK_ROWS = 250;
const BLOCK_BYTES = 16_384;
/** Maximum number of stored notices. */
const MAX_NOTICES = 20;

/** A file with all rows of one statement. The rows can be read while further rows arrive. */
export class StoredResult implements StreamSink, AsyncDisposable {
  /** The database of the statement. */
  readonly database: Database;
  /** The text of the statement. */
  readonly sql: string;
  readonly notices: string[] = [];
  fields: Fields = [];
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

  constructor(file: ResultFile, { database, sql }: Pick<StoredResult, 'database' | 'sql'>) {
    this.#file = file;
    this.database = database;
    this.sql = sql;
  }

  /** Whether the statement has ended or failed. */
  get finished(): boolean {
    return this.#whole || this.#failure !== undefined;
  }

  /** Number of rows; `undefined` while further rows may arrive. */
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
    // The statement continues after the call and still counts for its caller.
    setCaller(this.#ending.signal, getCaller(signal));
    this.#filling = run(this.#ending.signal).then(
      () => this.#end(),
      (error: unknown) => this.#fail(error),
    );
    await Promise.race([this.#filling, full]);
    signal.removeEventListener('abort', abort);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  columns(fields: Fields): void {
    this.fields = fields;
  }

  rows(messages: Buffer, count: number): void {
    if (this.#page !== undefined) this.#fillPage(this.#page, messages);
    this.#file.append(messages);
    this.#waiting.rows += count;
    this.#waiting.bytes += messages.length;
    if (this.#waiting.bytes >= BLOCK_BYTES || this.#waiting.rows >= BLOCK_ROWS) this.#endBlock();
  }

  /** Ends the rows of a statement that was not run by `fill`; resolves when all rows are in the file. @throws ToolError TOO_LARGE, IO, NO_SPACE */
  async finish(): Promise<void> {
    await this.#end();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  line(): void {
    throw new TypeError('a stored result cannot contain the output of COPY');
  }

  notice(text: string): void {
    if (this.notices.length < MAX_NOTICES) this.notices.push(text);
  }

  /** Yields the rows from an offset in blocks; waits for rows that have not arrived yet. @throws the error of a failed statement, after its last row */
  async *rowsFrom(offset: number, signal: AbortSignal): AsyncGenerator<Iterable<Row>> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      await this.#until(offset, signal);
      const start = this.#blocks.findLastIndex(({ first }) => first <= offset);
      for (let index = start, next = offset; this.#stored > next; index += 1) {
        const block = this.#blocks[index];
        if (block === undefined) break;
        yield sentRows(await this.#file.read(block.position, block.length), Math.max(0, offset - block.first));
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

  #fillPage(page: Page, messages: Buffer): void {
    for (const row of sentRows(messages))
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
