import { callerBehind, setCaller } from '@org/mcp-decorators';

import type { Fields } from '../database/column-types.ts';
import type { Database } from '../database/database.ts';
import type { StreamSink } from '../database/push-stream.ts';
import type { Row } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { sentRows } from '../rows/sent-rows.ts';
import { droppedMeanwhile } from './dropped.ts';
import type { SpoolFile } from './spool-file.ts';

/** Rows that are read again together, in the file as the server sent them. */
interface Block {
  readonly first: number;
  readonly rows: number;
  readonly position: number;
  readonly length: number;
}

/** Rows can be read when so many have come, or so many bytes. */
const BLOCK_ROWS = 250;
const BLOCK_BYTES = 16_384;
/** More is noise. */
const MAX_NOTICES = 20;

/** All rows of one statement in a file. They can be read while the last ones are still to come. */
export class KeptResult implements StreamSink, AsyncDisposable {
  /** Where the rows came from. */
  readonly database: Database;
  /** The statement. */
  readonly sql: string;
  readonly notices: string[] = [];
  fields: Fields = [];
  readonly #file: SpoolFile;
  readonly #blocks: Block[] = [];
  readonly #waiters: (() => void)[] = [];
  readonly #ending = new AbortController();
  #page: Page | undefined;
  #pageIsFull: () => void = () => undefined;
  #filling: Promise<void> = Promise.resolve();
  /** In the file, and in no block yet. */
  #waiting = { rows: 0, bytes: 0 };
  #kept = 0;
  #whole = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(file: SpoolFile, { database, sql }: Pick<KeptResult, 'database' | 'sql'>) {
    this.#file = file;
    this.database = database;
    this.sql = sql;
  }

  /** Nothing more will come. */
  get finished(): boolean {
    return this.#whole || this.#failure !== undefined;
  }

  /** How many rows there are; `undefined` while more may come. */
  get total(): number | undefined {
    return this.#whole ? this.#kept : undefined;
  }

  get busy(): Promise<void> | undefined {
    return this.#file.busy;
  }

  /** Begins to take rows and resolves when the page is full, or they are all there; rejects if they fail or `signal` aborts before. */
  async fill(page: Page, run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#page = page;
    const full = new Promise<void>((resolve) => {
      this.#pageIsFull = resolve;
    });
    const abort = (): void => this.#ending.abort(signal.reason);
    signal.addEventListener('abort', abort);
    // The statement continues after the call and still counts for its caller.
    setCaller(this.#ending.signal, callerBehind(signal));
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
    throw new TypeError('rows are kept as rows');
  }

  notice(text: string): void {
    if (this.notices.length < MAX_NOTICES) this.notices.push(text);
  }

  /** The rows from one on, some at a time; waits for those that are still to come. @throws what the statement failed with, after its last row */
  async *from(offset: number, signal: AbortSignal): AsyncGenerator<Iterable<Row>> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      await this.#until(offset, signal);
      const start = this.#blocks.findLastIndex(({ first }) => first <= offset);
      for (let index = start, next = offset; this.#kept > next; index += 1) {
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

  /** Ends the statement, if it still runs, and forgets the rows. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(droppedMeanwhile());
    await this.#filling;
    await this.#file[Symbol.asyncDispose]();
  }

  /** Waits until there are more than so many rows to be read, or no more will come. */
  async #until(rows: number, signal: AbortSignal): Promise<void> {
    while (this.#kept <= rows && !this.finished && !signal.aborted)
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
    this.#blocks.push({ first: this.#kept, rows, position: this.#file.bytes - bytes, length: bytes });
    this.#kept += rows;
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
