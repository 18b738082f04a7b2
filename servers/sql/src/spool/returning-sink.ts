import type { RequestContext } from '@org/mcp-decorators';

import type { Fields } from '../database/column-types.ts';
import type { Database } from '../database/database.ts';
import type { StreamSink } from '../database/push-stream.ts';
import { fencedRows } from '../rows/fenced.ts';
import type { FormatName } from '../rows/format.ts';
import type { Page } from '../rows/page.ts';
import { sentRows } from '../rows/sent-rows.ts';
import { KeptResult } from './kept-result.ts';
import type { Spool } from './spool.ts';

/** Rows up to this size are in memory until it is certain that they have to be kept. */
const MAX_MEMORY = 262_144;
/** At most what the JSON of a column has besides its name. */
const COLUMN_BYTES = 200;

/** Where the rows of a statement go, and how they will be shown. */
export interface ReturningSinkOptions {
  readonly database: Database;
  readonly spool: Spool;
  readonly page: Page;
  readonly sql: string;
  readonly format: FormatName;
  readonly structured: boolean;
  readonly context: RequestContext;
}

/** Rows as the server sent them. */
interface Messages {
  readonly messages: Buffer;
  readonly count: number;
}

/**
 * Takes the rows that a writing statement returns. The page takes the first rows. If a result might not have room for all rows or
 * values, the spool keeps all rows. A spool without room is no reason to fail: the rows are then counted, but not kept.
 */
export class ReturningSink implements StreamSink {
  fields: Fields = [];
  /** Number of rows that the statement returned. */
  count = 0;
  readonly #options: ReturningSinkOptions;
  #waiting: Messages[] = [];
  #waitingBytes = 0;
  #opening: Promise<void> | undefined;
  #kept: { readonly handle: string; readonly made: KeptResult } | undefined;
  #isLost = false;

  constructor(options: ReturningSinkOptions) {
    this.#options = options;
  }

  /** Handle of the kept rows; `undefined` if they are not kept. */
  get handle(): string | undefined {
    return this.#kept?.handle;
  }

  get busy(): Promise<void> | undefined {
    return this.#opening ?? this.#kept?.made.busy?.catch(() => this.drop());
  }

  columns(fields: Fields): void {
    this.fields = fields;
  }

  rows(messages: Buffer, count: number): void {
    this.count += count;
    this.#fillPage(messages);
    if (this.#isLost) return;
    if (this.#kept !== undefined) return this.#append({ messages, count });
    this.#waiting.push({ messages, count });
    this.#waitingBytes += messages.length;
    if (this.#options.page.truncated !== undefined || this.#waitingBytes > MAX_MEMORY) this.#opening ??= this.#open();
  }

  line(): void {
    throw new TypeError('rows are kept as rows');
  }

  notice(): void {
    // The caller of the statement listens to its notices.
  }

  /** Ends the rows, so that a commit can follow: those that have to be kept are in the file. */
  async finish(): Promise<void> {
    await this.#opening;
    if (this.#kept === undefined && !this.#isLost && this.#mayExceed()) await this.#open();
    await this.#kept?.made.finish().catch(() => this.drop());
    this.#waiting = [];
  }

  /** Keeps no rows. */
  drop(): void {
    if (this.#kept !== undefined) this.#options.spool.drop(this.#kept.handle);
    this.#kept = undefined;
    this.#waiting = [];
    this.#isLost = true;
  }

  /** Whether a result may lack some of the rows or values: notices, columns and notes take at most the other half of it. */
  #mayExceed(): boolean {
    const { page, format, structured, database } = this.#options;
    if (this.fields.length === 0) return false;
    const names = this.fields.map(({ name }) => name);
    const textBytes = Buffer.byteLength(fencedRows(page.text(names), format));
    const columnBytes = structured ? Buffer.byteLength(JSON.stringify(names)) + COLUMN_BYTES * names.length : 0;
    const bytes = Math.max(textBytes, page.bytes + columnBytes);
    return page.truncated !== undefined || page.cutValues > 0 || bytes > database.maxResultBytes / 2;
  }

  #fillPage(messages: Buffer): void {
    const { page } = this.#options;
    if (page.truncated !== undefined) return;
    for (const row of sentRows(messages)) if (!page.add(row)) return;
  }

  async #open(): Promise<void> {
    const { database, sql, spool, context } = this.#options;
    try {
      const { handle, made } = await spool.add((file) => new KeptResult(file, { database, sql }), context, { hashed: false });
      this.#kept = { handle, made };
      made.columns(this.fields);
      for (const each of this.#waiting) this.#append(each);
      this.#waiting = [];
    } catch {
      this.drop();
    }
    this.#opening = undefined;
  }

  #append({ messages, count }: Messages): void {
    try {
      this.#kept?.made.rows(messages, count);
    } catch {
      this.drop();
    }
  }
}
