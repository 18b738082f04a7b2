import { SendableSql } from '../../policy/parse/sendable-sql.ts';
import type { Row } from '../../../rows/format.ts';
import { requestCancel, type BackendKey, type Dial } from '../protocol/cancel.ts';
import type { DriverClient, DriverNotice } from '../protocol/driver.ts';
import { StatementBatch } from '../protocol/statement-batch.ts';
import { ReadStatement } from '../protocol/read-statement.ts';

/** A connection borrowed from the pool. `release` cleans the session and returns the connection; `destroy` closes the connection. */
export class Connection {
  readonly #client: DriverClient;
  readonly #release: (broken: boolean) => void;
  readonly #dial: Dial | undefined;
  #isReleased = false;
  #opening: readonly string[] = [];
  #hasBegun = false;
  #hasAnswered = false;
  #closed: Promise<void> = Promise.resolve();

  /**
   * @param release returns the client to the pool, or closes the client if `broken`
   * @param dial creates the stream of a CancelRequest; default: a socket
   */
  constructor(client: DriverClient, release: (broken: boolean) => void, dial?: Dial) {
    this.#client = client;
    this.#release = release;
    this.#dial = dial;
  }

  /** Whether the server has run a statement of this call without an error. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  get processId(): number {
    return readNumber(this.#client, 'processID');
  }

  /**
   * Sets the statements that begin a transaction. They are sent with the first statement. An empty list begins no transaction.
   * Unless the caller commits, the transaction is rolled back at the end.
   */
  begin(opening: readonly string[]): void {
    this.#opening = opening;
  }

  /** Runs a statement. Afterwards the statement object contains the result. */
  async read(statement: ReadStatement): Promise<void> {
    await this.#send(statement, []);
  }

  /**
   * Runs the last statement of a call. The statements that end the transaction and clean the session are sent with the last statement,
   * so that the connection is free as soon as the answer arrives. A later statement begins a new transaction.
   */
  async finish(statement: ReadStatement): Promise<void> {
    await this.#send(statement, CLOSING);
  }

  /** Runs a statement of this package, and returns its rows. */
  async rows(text: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const { statement, rows } = collectRows(text, params);
    await this.read(statement);
    return rows;
  }

  /** Runs a statement of this package as the last statement of a call, and returns its rows. */
  async lastRows(text: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const { statement, rows } = collectRows(text, params);
    await this.finish(statement);
    return rows;
  }

  /** Calls the listener with each notice until the returned function is called. */
  onNotice(listener: (notice: string) => void): () => void {
    const onClientNotice = ({ severity, message }: DriverNotice): void => listener(`${severity ?? 'NOTICE'}: ${message ?? ''}`);
    this.#client.on('notice', onClientNotice);
    return () => this.#client.off('notice', onClientNotice);
  }

  /** Sends a cancel request for the current statement. Resolves when the server has signalled the backend. */
  cancel(): Promise<void> {
    return requestCancel(this.#key());
  }

  /** Cleans the session and returns the connection to the pool. Never rejects. Callers need not wait. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    await this.#clean().then(
      () => this.#end(false),
      () => this.destroy(),
    );
  }

  /** Closes the connection, because its protocol state is unknown. */
  destroy(): void {
    this.#end(true);
  }

  async #send(statement: ReadStatement, after: readonly string[]): Promise<void> {
    await this.#closed;
    statement.surroundWith({ before: this.#hasBegun ? [] : this.#opening, after });
    this.#hasBegun = after.length === 0;
    this.#client.query(statement);
    if (!this.#hasBegun) this.#closed = this.#run([]);
    await statement.ended;
    this.#hasAnswered = true;
  }

  async #clean(): Promise<void> {
    await this.#closed;
    if (this.#hasBegun) await this.#run(CLOSING);
  }

  #run(texts: readonly string[]): Promise<void> {
    const commands = new StatementBatch(texts);
    // The next statement, or `release`, waits for this promise and receives its error. Without either, the rejection would be
    // unhandled.
    commands.ended.catch(ignore);
    this.#client.query(commands);
    return commands.ended;
  }

  #end(broken: boolean): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release(broken);
  }

  #key(): BackendKey {
    const { host, port, ssl } = this.#client;
    const secretKey = readNumber(this.#client, 'secretKey');
    return { host, port, ssl, processId: this.processId, secretKey, dial: this.#dial };
  }
}

/** Statements that end the transaction and clear all session state that a call left, such as locks and settings. */
const CLOSING = ['ROLLBACK', 'DISCARD ALL'];

/** Creates a statement that is sent unchanged, and the array that receives its rows. */
function collectRows(
  text: string,
  params: readonly (string | null)[],
): { readonly statement: ReadStatement; readonly rows: readonly Row[] } {
  const rows: Row[] = [];
  const sql = SendableSql.own(text);
  return { statement: new ReadStatement({ sql, params, kind: 'catalog', limit: 0, onRow: (row) => rows.push(row) }), rows };
}

function ignore(): void {
  // The error is ignored here, because the next statement, or `release`, receives it from the same promise.
}

// The types of pg declare neither `processID` nor `secretKey`.
function readNumber(client: DriverClient, property: 'processID' | 'secretKey'): number {
  const value: unknown = Reflect.get(client, property);
  if (typeof value !== 'number') throw new TypeError(`the server sent no ${property}`);
  return value;
}
