import type { Connection, DatabaseError, FieldDef, Submittable } from 'pg';

import type { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import { Flight } from './flight.ts';

/** How a statement is run. */
export type ReadKind = 'wrapped' | 'copied' | 'direct' | 'parsed';

/** What is read of a statement. */
export interface ReadRequest {
  readonly sql: SendableSql;
  /** Words of ours before it. */
  readonly before?: string | undefined;
  readonly params: readonly (string | null)[];
  /** Rows to ask the server for; 0: all. */
  readonly limit: number;
  readonly kind: ReadKind;
  /** Takes a row. */
  readonly onRow: (row: Row) => void;
}

/** Statements of our own that are sent in the same flight. */
export interface Company {
  /** Run before it; where one fails, it is not run. */
  readonly before: readonly string[];
  /** Run after it, whether it failed or not. */
  readonly after: readonly string[];
}

/** What stands before a statement that is put into parentheses; error positions count it. */
const BEFORE: Readonly<Partial<Record<ReadKind, string>>> = { wrapped: 'SELECT * FROM (\n', copied: 'COPY (\n' };

/**
 * One statement on the extended protocol, in one flight, which is where a second one is a syntax error.
 *
 * The statement is parsed by itself in every case: PostgreSQL decides what it is, describes its columns and places its errors.
 * Then, if it is `wrapped`, it is run inside `SELECT * FROM (…) q LIMIT n`, so that the planner knows how little is wanted (a row
 * count in Execute or a cursor would switch parallel query off); that is exact, because what parsed by itself cannot end
 * the parentheses. If it is `copied`, it is run inside `COPY (…) TO STDOUT`, which writes CSV. If it is `direct`, it is run as it is,
 * up to the limit. If it is `parsed`, it is not run.
 */
export class ReadStatement implements Submittable {
  /** Resolves when the server is done with it; rejects with its error. */
  readonly ended: Promise<void>;
  fields: readonly FieldDef[] = [];
  /** Object identifiers of the types of its parameters, if it is only parsed. */
  parameters: readonly number[] = [];
  /** The server had more rows than the limit. */
  suspended = false;
  #tag = '';
  readonly #request: ReadRequest;
  #company: Company = { before: [], after: [] };
  #parsed = 0;
  #stopListening: () => void = () => undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(request: ReadRequest) {
    this.#request = request;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** What was done, as PostgreSQL says it: `UPDATE`, `CREATE TABLE`. */
  get command(): string {
    const [command = ''] = this.#tag.split(/ \d/, 1);
    return command;
  }

  /** Number of affected rows; `undefined` if the command does not count rows. */
  get affected(): number | undefined {
    const count = / (\d+)$/.exec(this.#tag)?.[1];
    return count === undefined ? undefined : Number(count);
  }

  /** Whether the statement parses alone but not in parentheses, such as `;; select 1` or a CTE that writes. */
  get cannotBeWrapped(): boolean {
    return BEFORE[this.#request.kind] !== undefined && this.#parsedOfIts === 1;
  }

  /** Says what it is sent with; before it is submitted. */
  join(company: Company): void {
    this.#company = company;
  }

  submit(connection: Connection): void {
    const { before, after } = this.#company;
    connection.on('parseComplete', this.#countParse);
    if (this.#request.kind === 'parsed') connection.on('parameterDescription', this.#keepParameters);
    this.#stopListening = () => {
      connection.off('parseComplete', this.#countParse);
      if (this.#request.kind === 'parsed') connection.off('parameterDescription', this.#keepParameters);
    };
    const flight = new Flight();
    flight.commands(before);
    this.#write(flight);
    flight.sync();
    flight.commands(after);
    if (after.length > 0) flight.sync();
    flight.send(connection);
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

  handleCommandComplete(message?: { readonly text: string }): void {
    // Those of statements sent before it come first; the end is ReadyForQuery.
    this.#tag = message?.text ?? '';
  }

  handleEmptyQuery(): void {
    // An empty statement has no columns, by which it is known.
  }

  handleReadyForQuery(): void {
    this.#stopListening();
    this.#resolve();
  }

  handleError(error: DatabaseError): void {
    this.#stopListening();
    const before = (this.#parsedOfIts > 1 ? BEFORE[this.#request.kind] : this.#request.before) ?? '';
    if (error.position !== undefined) error.position = String(Math.max(1, Number(error.position) - before.length));
    this.#reject(error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.end();
  }

  handleCopyData(_message: { readonly chunk: Uint8Array }): void {
    // Only whoever has it copied gets any.
  }

  /** Its own texts that the server has parsed. */
  get #parsedOfIts(): number {
    return this.#parsed - this.#company.before.length;
  }

  #write(flight: Flight): void {
    const { sql, before = '', params, limit, kind } = this.#request;
    flight.parse(before + sql.text);
    flight.describe();
    if (BEFORE[kind] !== undefined) flight.parse(inside(kind, sql, limit).text);
    if (kind === 'parsed') return;
    flight.bind(params);
    flight.execute(kind === 'direct' ? limit : 0);
  }

  readonly #countParse = (): void => {
    this.#parsed += 1;
  };

  readonly #keepParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
    this.parameters = dataTypeIDs;
  };
}

function inside(kind: ReadKind, sql: SendableSql, limit: number): SendableSql {
  const after = kind === 'copied' ? 'TO STDOUT (FORMAT csv, HEADER)' : `q LIMIT ${limit}`;
  return sql.between(BEFORE[kind] ?? '', `) ${after}`);
}
