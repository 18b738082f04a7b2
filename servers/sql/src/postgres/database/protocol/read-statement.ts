import type { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Row } from '../../../rows/format.ts';
import type { DriverConnection, DriverStatement, ResultField, ServerError } from './driver.ts';
import { MessageWriter } from './message-writer.ts';

/** How a statement runs; see `ReadStatement`. */
export type ReadKind = 'wrapped' | 'copied' | 'direct' | 'parsed' | 'catalog';

/** A statement, the number of rows to read, and the callback that receives the rows. */
export interface ReadRequest {
  readonly sql: SendableSql;
  /** SQL of this package that precedes the statement in the same text, such as `EXPLAIN`. */
  readonly before?: string | undefined;
  readonly params: readonly (string | null)[];
  /**
   * Maximum number of rows to request from the server; 0 means all rows. A `wrapped` statement requires a limit above 0, and a
   * `copied` statement ignores the limit.
   */
  readonly limit: number;
  readonly kind: ReadKind;
  /** Called for each row. */
  readonly onRow: (row: Row) => void;
}

/** Statements of this package that are sent in one batch with a statement, before and after that statement. */
export interface SurroundingStatements {
  /** Statements that run before. If one of them fails, the statement does not run. */
  readonly before: readonly string[];
  /** Statements that run after, even if the statement failed. */
  readonly after: readonly string[];
}

/** SQL that opens the parentheses around a statement. Error positions of the server count this SQL. */
const WRAPPER_PREFIXES: Readonly<Partial<Record<ReadKind, string>>> = { wrapped: 'SELECT * FROM (\n', copied: 'COPY (\n' };

const PORTAL = 'catalog';

// These statements are parsed under the search path of the session. They use no operators, and only qualified functions with the
// exact types, so that no object of a user can take their place. The path is saved in a custom setting, because `SET … TO
// DEFAULT` would undo a path that the transaction has set.
const SAVED_PATH = 'mcp_sql.search_path';
const ENTER_CATALOG: readonly string[] = [
  `SELECT pg_catalog.set_config('${SAVED_PATH}', pg_catalog.current_setting('search_path'), true)`,
  'SET LOCAL search_path = pg_catalog',
];
const LEAVE_CATALOG: readonly string[] = [
  `SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('${SAVED_PATH}'), true)`,
];

/**
 * One statement on the extended protocol, which rejects a second statement in the text as a syntax error. All messages are sent
 * together.
 *
 * PostgreSQL always parses the statement alone first, describes its columns and reports error positions. A `wrapped` statement then
 * runs inside `SELECT * FROM (…) q LIMIT n`, so that the planner knows the limit. (A row count in Execute or a cursor would disable
 * parallel queries.) Wrapping is safe, because a text that parses alone cannot close the parentheses. A `copied` statement runs
 * inside `COPY (…) TO STDOUT`, which writes CSV. A `direct` statement runs unchanged, up to the limit. A `parsed` statement does
 * not run.
 *
 * A `catalog` statement is SQL of this package. Its functions and operators are those of `pg_catalog` alone, because PostgreSQL
 * prefers an operator that a user created for the exact types over a built-in one for more general types. The search path of the
 * session is in force again while the statement runs, so that it finds and shows the names of objects as the user writes them.
 */
export class ReadStatement implements DriverStatement {
  /** Resolves when the server has run the statement; rejects with the error of the server. */
  readonly ended: Promise<void>;
  fields: readonly ResultField[] = [];
  /** Object identifiers of the parameter types, if the statement is only parsed. */
  parameters: readonly number[] = [];
  /** Whether the server stopped at the limit, after which the statement may have more rows. */
  suspended = false;
  #tag = '';
  /**
   * Number of statements of this package that precede this statement in the batch and have not completed yet. Their rows are
   * ignored.
   */
  #preceding = 0;
  readonly #request: ReadRequest;
  #surrounding: SurroundingStatements = { before: [], after: [] };
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

  /** Command tag of PostgreSQL without counts: `UPDATE`, `CREATE TABLE`. */
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
    return WRAPPER_PREFIXES[this.#request.kind] !== undefined && this.#ownParsed === 1;
  }

  /** Sets the statements that are sent together with this statement. Must be called before `submit`. */
  surroundWith(company: SurroundingStatements): void {
    this.#surrounding = company;
  }

  submit(connection: DriverConnection): void {
    const { before, after } = this.#surrounding;
    connection.on('parseComplete', this.#countParse);
    if (this.#request.kind === 'parsed') connection.on('parameterDescription', this.#keepParameters);
    this.#stopListening = () => {
      connection.off('parseComplete', this.#countParse);
      if (this.#request.kind === 'parsed') connection.off('parameterDescription', this.#keepParameters);
    };
    const writer = new MessageWriter();
    writer.statements(before);
    this.#preceding = before.length;
    if (this.#request.kind === 'catalog') this.#writeCatalogStatement(writer);
    else this.#write(writer);
    writer.sync();
    writer.statements(after);
    if (after.length > 0) writer.sync();
    writer.send(connection);
  }

  handleRowDescription({ fields }: { readonly fields: readonly ResultField[] }): void {
    this.fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    if (this.#preceding <= 0) this.#request.onRow(fields);
  }

  handlePortalSuspended(): void {
    this.suspended = true;
  }

  handleCommandComplete(message?: { readonly text: string }): void {
    // Earlier statements of the batch complete first, so the last tag remains. ReadyForQuery marks the end.
    this.#preceding -= 1;
    this.#tag = message?.text ?? '';
  }

  handleEmptyQuery(): void {
    // Nothing to do: the missing columns show that the statement is empty.
  }

  handleReadyForQuery(): void {
    this.#stopListening();
    this.#resolve();
  }

  handleError(error: ServerError): void {
    this.#stopListening();
    const before = (this.#ownParsed > 1 ? WRAPPER_PREFIXES[this.#request.kind] : this.#request.before) ?? '';
    if (error.position !== undefined) error.position = String(Math.max(1, Number(error.position) - before.length));
    this.#reject(error);
  }

  handleCopyInResponse(connection: DriverConnection): void {
    connection.end();
  }

  handleCopyData(_message: { readonly chunk: Uint8Array }): void {
    // Only a `copied` statement receives data, which the subclass `RowStream` handles.
  }

  /** Number of texts of this statement that the server has parsed, without the statements that run before this statement. */
  get #ownParsed(): number {
    return this.#parsed - this.#surrounding.before.length;
  }

  #write(writer: MessageWriter): void {
    const { sql, before = '', params, limit, kind } = this.#request;
    writer.parse(before + sql.text);
    writer.describe();
    if (WRAPPER_PREFIXES[kind] !== undefined) writer.parse(wrapStatement(kind, sql, limit).text);
    if (kind === 'parsed') return;
    writer.bind(params);
    writer.execute(kind === 'direct' ? limit : 0);
  }

  /** Parses and plans the statement under `pg_catalog`, and runs it under the search path of the session. */
  #writeCatalogStatement(writer: MessageWriter): void {
    const { sql, params, limit } = this.#request;
    this.#preceding += ENTER_CATALOG.length + LEAVE_CATALOG.length;
    writer.statements(ENTER_CATALOG);
    writer.parse(sql.text);
    writer.describe();
    writer.bind(params, PORTAL);
    writer.statements(LEAVE_CATALOG);
    writer.execute(limit, PORTAL);
    writer.closePortal(PORTAL);
  }

  readonly #countParse = (): void => {
    this.#parsed += 1;
  };

  readonly #keepParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
    this.parameters = dataTypeIDs;
  };
}

function wrapStatement(kind: ReadKind, sql: SendableSql, limit: number): SendableSql {
  const after = kind === 'copied' ? 'TO STDOUT (FORMAT csv, HEADER)' : `q LIMIT ${limit}`;
  return sql.between(WRAPPER_PREFIXES[kind] ?? '', `) ${after}`);
}
