import type { ConnectionOptions } from 'node:tls';

import type { PoolClient } from 'pg';

import { SendableSql } from '../policy/sendable-sql.ts';
import type { Row } from '../rows/format.ts';
import { requestCancel, type BackendKey } from './cancel.ts';
import { Commands } from './commands.ts';
import { ReadStatement } from './read-statement.ts';

/** A connection that was taken; it goes back clean, or not at all. */
export class Connection {
  readonly #client: PoolClient;
  readonly #release: (client: PoolClient, broken: boolean) => void;
  #given = false;
  #opening: readonly string[] = [];
  #begun = false;
  #closed: Promise<void> = Promise.resolve();

  /** @param release what it is given back to; a broken one is to be closed */
  constructor(client: PoolClient, release: (client: PoolClient, broken: boolean) => void) {
    this.#client = client;
    this.#release = release;
  }

  get processId(): number {
    return numberOf(this.#client, 'processID');
  }

  /** Begins a transaction that cannot write and does not last; it is sent together with the first statement. */
  begin(opening: readonly string[]): void {
    this.#opening = opening;
  }

  /** Runs a statement; what came of it is in the statement. */
  async read(statement: ReadStatement): Promise<void> {
    await this.#send(statement, []);
  }

  /**
   * Runs the last statement of the work: what ends the transaction and cleans the session is sent with it, so that the connection is
   * free when the answer is here. A statement after it begins anew.
   */
  async finish(statement: ReadStatement): Promise<void> {
    await this.#send(statement, CLOSING);
  }

  /** Runs a statement of our own. */
  async rows(text: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const { statement, rows } = collected(text, params);
    await this.read(statement);
    return rows;
  }

  /** Runs the last statement of the work, one of our own. */
  async lastRows(text: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const { statement, rows } = collected(text, params);
    await this.finish(statement);
    return rows;
  }

  /** Calls the listener with each notice until the returned function is called. */
  onNotice(listener: (notice: string) => void): () => void {
    const heard = ({
      severity,
      message,
    }: {
      readonly severity: string | undefined;
      readonly message?: string | undefined;
    }): void => listener(`${severity ?? 'NOTICE'}: ${message ?? ''}`);
    this.#client.on('notice', heard);
    return () => this.#client.off('notice', heard);
  }

  /** Resolves when the backend has been told to stop. */
  cancel(): Promise<void> {
    return requestCancel(this.#key());
  }

  /** Forgets the call, so that the next one finds nothing of it, and goes back to the pool: then it resolves, and never rejects. Not for callers to wait for. */
  async giveBack(): Promise<void> {
    if (this.#given) return;
    await this.#clean().then(
      () => this.#end(false),
      () => this.destroy(),
    );
  }

  /** Closes the connection: what state it is in, nobody knows. */
  destroy(): void {
    this.#end(true);
  }

  async #send(statement: ReadStatement, after: readonly string[]): Promise<void> {
    await this.#closed;
    statement.join({ before: this.#begun ? [] : this.#opening, after });
    this.#begun = after.length === 0;
    this.#client.query(statement);
    if (!this.#begun) this.#closed = this.#run([]);
    await statement.ended;
  }

  async #clean(): Promise<void> {
    await this.#closed;
    if (this.#begun) await this.#run(CLOSING);
  }

  #run(texts: readonly string[]): Promise<void> {
    const commands = new Commands(texts);
    // Whoever uses the connection next is told; nobody may.
    commands.ended.catch(ignore);
    this.#client.query(commands);
    return commands.ended;
  }

  #end(broken: boolean): void {
    if (this.#given) return;
    this.#given = true;
    this.#release(this.#client, broken);
  }

  #key(): BackendKey {
    const { host, port } = this.#client;
    const ssl: boolean | ConnectionOptions = this.#client.ssl;
    return { host, port, ssl, processId: this.processId, secretKey: numberOf(this.#client, 'secretKey') };
  }
}

/** The session forgets locks, settings and whatever else a call left in it. */
const CLOSING = ['ROLLBACK', 'DISCARD ALL'];

/** A statement that is run as it is, and the rows that come of it. */
function collected(
  text: string,
  params: readonly (string | null)[],
): { readonly statement: ReadStatement; readonly rows: readonly Row[] } {
  const rows: Row[] = [];
  const sql = SendableSql.own(text);
  return { statement: new ReadStatement({ sql, params, kind: 'direct', limit: 0, onRow: (row) => rows.push(row) }), rows };
}

function ignore(): void {
  // The call that uses the connection is told by its own statement.
}

// pg declares neither of the two numbers that name its backend.
function numberOf(client: PoolClient, property: 'processID' | 'secretKey'): number {
  const value: unknown = Reflect.get(client, property);
  if (typeof value !== 'number') throw new TypeError(`the server gave no ${property}`);
  return value;
}
