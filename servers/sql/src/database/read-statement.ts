import type { Connection, DatabaseError, FieldDef, Submittable } from 'pg';

import type { Row } from '../rows/format.ts';
import { writeCommand, writeTogether } from './commands.ts';

/** How a statement is run, which its first word tells. */
export type ReadKind = 'wrapped' | 'direct' | 'parsed';

/** What is read of a statement. */
export interface ReadRequest {
  readonly sql: string;
  /** Words of ours before it. */
  readonly before?: string;
  readonly params: readonly (string | null)[];
  /** Rows to ask the server for; 0: all. */
  readonly limit: number;
  readonly kind: ReadKind;
  /** Takes a row. */
  readonly onRow: (row: Row) => void;
}

/** Statements of our own that are sent in the same flight. */
export interface Flight {
  /** Run before it; where one fails, it is not run. */
  readonly before: readonly string[];
  /** Run after it, whether it failed or not. */
  readonly after: readonly string[];
}

/** What stands before a wrapped statement; error positions count it. */
const WRAP = 'SELECT * FROM (\n';

/**
 * One statement on the extended protocol, in one flight, which is where a second one is a syntax error.
 *
 * The statement is parsed by itself in every case: PostgreSQL decides what it is, describes its columns and places its errors.
 * Then, if it is `wrapped`, it is run inside `SELECT * FROM (…) q LIMIT n`, so that the planner knows how little is wanted (a row
 * count in Execute or a cursor would switch parallel query off); that is exact, because what parsed by itself cannot end
 * the parentheses. If it is `direct`, it is run as it is, up to the limit. If it is `parsed`, it is not run.
 */
export class ReadStatement implements Submittable {
  /** Resolves when the server is done with it; rejects with its error. */
  readonly ended: Promise<void>;
  fields: readonly FieldDef[] = [];
  /** The server had more rows than the limit. */
  suspended = false;
  readonly #request: ReadRequest;
  #flight: Flight = { before: [], after: [] };
  #parsed = 0;
  #stopCounting: () => void = () => undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(request: ReadRequest) {
    this.#request = request;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** It stands alone, but not in parentheses: `select 1; -- done`, or a CTE that writes. */
  get cannotBeWrapped(): boolean {
    return this.#request.kind === 'wrapped' && this.#parsedOfIts === 1;
  }

  /** Says what it is sent with; before it is submitted. */
  join(flight: Flight): void {
    this.#flight = flight;
  }

  submit(connection: Connection): void {
    const { before, after } = this.#flight;
    connection.on('parseComplete', this.#countParse);
    this.#stopCounting = () => void connection.off('parseComplete', this.#countParse);
    writeTogether(connection, () => {
      for (const text of before) writeCommand(connection, text);
      this.#write(connection);
      connection.sync();
      if (after.length === 0) return;
      for (const text of after) writeCommand(connection, text);
      connection.sync();
    });
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#request.onRow(fields);
  }

  handlePortalSuspended(): void {
    this.suspended = true;
  }

  handleCommandComplete(): void {
    // The end is ReadyForQuery.
  }

  handleEmptyQuery(): void {
    // An empty statement has no columns, by which it is known.
  }

  handleReadyForQuery(): void {
    this.#stopCounting();
    this.#resolve();
  }

  handleError(error: DatabaseError): void {
    this.#stopCounting();
    const before = this.#parsedOfIts > 1 ? WRAP : (this.#request.before ?? '');
    if (error.position !== undefined) error.position = String(Math.max(1, Number(error.position) - before.length));
    this.#reject(error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.end();
  }

  handleCopyData(): void {
    // Only statements that return rows are run.
  }

  /** Its own texts that the server has parsed. */
  get #parsedOfIts(): number {
    return this.#parsed - this.#flight.before.length;
  }

  #write(connection: Connection): void {
    const { sql, before = '', params, limit, kind } = this.#request;
    connection.parse({ name: '', text: before + sql, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    if (kind === 'wrapped') connection.parse({ name: '', text: wrap(sql, limit), types: [] }, true);
    if (kind === 'parsed') return;
    connection.bind({ portal: '', statement: '', values: [...params] }, true);
    connection.execute({ portal: '', rows: kind === 'direct' ? String(limit) : '0' }, true);
  }

  readonly #countParse = (): void => {
    this.#parsed += 1;
  };
}

// A semicolon at the very end is never inside of anything: what is open there has failed to parse by itself.
function wrap(sql: string, limit: number): string {
  return `${WRAP}${sql.replace(/[;\s]+$/, '')}\n) q LIMIT ${limit}`;
}
