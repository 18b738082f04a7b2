import type { RequestContext } from '@org/mcp-decorators';

import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import { RowProgress } from '../../../engine/row-progress.ts';
import { CoarseTimer } from '../pool/coarse-timer.ts';
import { BackendProgress } from './backend-progress.ts';
import type { ReadOnlyDatabase } from '../query/read-only-database.ts';

/** A statement whose progress is reported. */
export interface ObservedQuery {
  readonly sql: SendableSql;
  readonly params: readonly (string | null)[];
  /** Maximum number of rows to read. */
  readonly maxRows: number;
}

/** Delay of the estimate. Faster statements need no estimate. */
const EXPLAIN_MS = 200;
/** Maximum length of a statement that is planned for an estimate, in characters. Planning longer statements is too expensive. */
const MAX_EXPLAINED = 65_536;

/**
 * Reports the progress of a query: before the first row like `BackendProgress`, then the number of rows read and the estimated
 * total.
 */
export class QueryProgress implements Disposable {
  readonly #database: ReadOnlyDatabase;
  readonly #waiting: BackendProgress;
  readonly #rows: RowProgress;
  #estimateTimer: CoarseTimer | undefined;
  #estimate: number | undefined;

  /** Reports the wait for a connection until `begin` is called. */
  constructor(context: RequestContext, database: ReadOnlyDatabase) {
    this.#database = database;
    this.#waiting = new BackendProgress(context, database);
    this.#rows = new RowProgress(context, this.#waiting);
  }

  /** Estimated number of rows, if the query ran long enough for an estimate. */
  get estimate(): number | undefined {
    return this.#estimate;
  }

  /** Reports the progress of a query on this backend from now on. Without a query, as for a plan, no total is estimated. */
  begin(processId: number, query: ObservedQuery | undefined): void {
    this.#waiting.watch(processId, 'waiting for the first row');
    this.#estimateTimer?.[Symbol.dispose]();
    if (query === undefined || query.sql.text.length > MAX_EXPLAINED) return;
    // A failed estimate does not mean that the query failed.
    this.#estimateTimer = new CoarseTimer(EXPLAIN_MS, () => void this.#explain(query).catch(() => undefined));
  }

  /** Adds `rows` to the number of rows read, and `bytes` to the number of bytes read. Without `bytes`, reports omit the size. */
  addRows(rows: number, bytes = 0): void {
    this.#rows.add(rows, bytes);
  }

  [Symbol.dispose](): void {
    this.#estimateTimer?.[Symbol.dispose]();
    this.#rows[Symbol.dispose]();
  }

  async #explain({ sql, params, maxRows }: ObservedQuery): Promise<void> {
    const plan = await this.#database.control.explain(sql, params);
    const rows = /"Plan Rows": (\d+)/.exec(plan)?.[1];
    if (rows === undefined) return;
    this.#estimate = Number(rows);
    this.#rows.total = Math.min(this.#estimate, maxRows);
  }
}
