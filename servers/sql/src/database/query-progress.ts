import type { RequestContext } from '@org/mcp-decorators';

import type { SendableSql } from '../policy/sendable-sql.ts';
import { sizeText } from '../rows/size-text.ts';
import { Alarm } from './alarm.ts';
import { BackendProgress } from './backend-progress.ts';
import type { Database } from './database.ts';

/** The statement whose progress is told. */
export interface ObservedQuery {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** Maximum number of rows to read. */
  readonly maxRows: number;
}

/** A statement that is done by then needs no estimate. */
const EXPLAIN_MS = 200;
const REPORT_MS = 100;
/** Planning a longer statement only to guess its rows is not worth it. */
const MAX_EXPLAINED = 65_536;

/** Tells the progress of a query: waiting, as `BackendProgress` tells it, before the first row, then rows read of an estimated total. */
export class QueryProgress implements Disposable {
  readonly #context: RequestContext;
  readonly #database: Database;
  readonly #waiting: BackendProgress;
  #query: ObservedQuery | undefined;
  #guess: Alarm | undefined;
  #estimate: number | undefined;
  #rows = 0;
  #bytes = 0;
  #told = 0;

  /** Tells of the wait for a connection until `begin` is called. */
  constructor(context: RequestContext, database: Database) {
    this.#context = context;
    this.#database = database;
    this.#waiting = new BackendProgress(context, database);
  }

  /** The planner's guess of the rows, where the query took long enough to ask. */
  get estimate(): number | undefined {
    return this.#estimate;
  }

  /** Starts the progress of a query on this backend. Without a query, as for a plan, no total is estimated. */
  begin(processId: number, query: ObservedQuery | undefined): void {
    this.#query = query;
    this.#waiting.watch(processId, 'waiting for the first row');
    this.#guess?.[Symbol.dispose]();
    if (query === undefined || query.sql.text.length > MAX_EXPLAINED) return;
    // A question that fails says nothing of the query.
    this.#guess = new Alarm(EXPLAIN_MS, () => void this.#explain(query).catch(() => undefined));
  }

  /** So many rows were read; `bytes` if they are worth telling. */
  read(rows: number, bytes = 0): void {
    if (this.#rows === 0) this.#waiting[Symbol.dispose]();
    this.#rows += rows;
    this.#bytes += bytes;
    if (!this.#context.progressWanted) return;
    const now = performance.now();
    if (now - this.#told < REPORT_MS) return;
    this.#told = now;
    this.#tellRows();
  }

  [Symbol.dispose](): void {
    this.#waiting[Symbol.dispose]();
    this.#guess?.[Symbol.dispose]();
    if (this.#rows > 0 && this.#context.progressWanted) this.#tellRows();
  }

  #tellRows(): void {
    const total = this.#total();
    const of = total === undefined ? '' : ` of ~${total}`;
    const bytes = this.#bytes === 0 ? '' : `, ${sizeText(this.#bytes)}`;
    const noun = (total ?? this.#rows) === 1 ? 'row' : 'rows';
    this.#context.progress(this.#rows, total, `${this.#rows}${of} ${noun} read${bytes}`);
  }

  #total(): number | undefined {
    if (this.#estimate === undefined || this.#query === undefined) return undefined;
    const total = Math.min(this.#estimate, this.#query.maxRows);
    return this.#rows > 2 * total ? undefined : total;
  }

  async #explain({ sql, params }: ObservedQuery): Promise<void> {
    const [plan] = await this.#database.control.row(sql.between('explain (format json) ', ''), params);
    const rows = /"Plan Rows": (\d+)/.exec(plan ?? '')?.[1];
    if (rows !== undefined) this.#estimate = Number(rows);
  }
}
