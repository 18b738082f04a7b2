import type { RequestContext } from '@org/mcp-decorators';

import { Control } from './control.ts';
import type { Source } from './source.ts';

/** The statement whose progress is told. */
export interface ObservedQuery {
  readonly sql: string;
  readonly params: readonly (string | null)[];
  readonly processId: number;
  /** Rows that are read at most. */
  readonly maxRows: number;
}

const BEAT_MS = 1000;
/** A statement that is done by then needs no estimate. */
const EXPLAIN_MS = 200;
const REPORT_MS = 100;
/** Planning a longer statement only to guess its rows is not worth it. */
const MAX_EXPLAINED = 65_536;

/** Tells the progress of a query: a heartbeat each second before the first row, then rows read of an estimated total. */
export class QueryProgress implements Disposable {
  readonly #context: RequestContext;
  readonly #query: ObservedQuery;
  readonly #control: Control;
  readonly #started = performance.now();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #guess: NodeJS.Timeout;
  #asking: Promise<void> = Promise.resolve();
  #estimate: number | undefined;
  #ended = false;
  #rows = 0;
  #told = 0;

  constructor(context: RequestContext, source: Source, query: ObservedQuery) {
    this.#context = context;
    this.#query = query;
    this.#control = new Control(source);
    this.#heartbeat = setInterval(() => this.#ask(() => this.#tellWaiting()), BEAT_MS).unref();
    this.#guess = setTimeout(() => this.#ask(() => this.#explain()), EXPLAIN_MS).unref();
  }

  /** The planner's guess of the rows, where the query took long enough to ask. */
  get estimate(): number | undefined {
    return this.#estimate;
  }

  row(): void {
    this.#rows += 1;
    const now = performance.now();
    if (now - this.#told < REPORT_MS) return;
    this.#told = now;
    this.#tellRows();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#guess);
    this.#ended = true;
    if (this.#rows > 0) this.#tellRows();
    // The answer waits neither for a question nor for its connection.
    void this.#asking.then(() => this.#control[Symbol.asyncDispose]());
  }

  #tellRows(): void {
    const total = this.#total();
    const of = total === undefined ? '' : ` of ~${total}`;
    this.#context.progress(this.#rows, total, `${this.#rows}${of} rows read`);
  }

  #total(): number | undefined {
    if (this.#estimate === undefined) return undefined;
    const total = Math.min(this.#estimate, this.#query.maxRows);
    return this.#rows > 2 * total ? undefined : total;
  }

  /** Asks one question after the other; one that fails says nothing of the query. */
  #ask(question: () => Promise<void>): void {
    this.#asking = this.#asking.then(() => (this.#ended ? undefined : question())).catch(() => undefined);
  }

  async #tellWaiting(): Promise<void> {
    if (this.#rows > 0) return;
    const waiting = await this.#waitEvent();
    if (this.#rows > 0 || this.#ended) return;
    const seconds = (performance.now() - this.#started) / 1000;
    const on = waiting === undefined ? '' : `, on ${waiting}`;
    // Below one row, and increasing.
    this.#context.progress(seconds / (seconds + 1), this.#total(), `waiting for the first row for ${Math.round(seconds)} s${on}`);
  }

  async #waitEvent(): Promise<string | undefined> {
    const [type, event] = await this.#control.row(WAIT_EVENT, [this.#query.processId]);
    return typeof type === 'string' && typeof event === 'string' ? `${type} ${event}` : undefined;
  }

  async #explain(): Promise<void> {
    const { sql, params } = this.#query;
    if (sql.length > MAX_EXPLAINED) return;
    const [plan] = await this.#control.row(`explain (format json) ${sql}`, params);
    const rows = /"Plan Rows": (\d+)/.exec(plan ?? '')?.[1];
    if (rows !== undefined) this.#estimate = Number(rows);
  }
}

const WAIT_EVENT = 'select wait_event_type, wait_event from pg_stat_activity where pid = $1';
