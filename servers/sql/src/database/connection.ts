import type { ConnectionOptions } from 'node:tls';

import type { PoolClient, Submittable } from 'pg';

import type { Row } from '../rows/format.ts';
import { requestCancel, type BackendKey } from './cancel.ts';

/** A connection that was taken from the pool; it goes back clean, or not at all. */
export class Connection {
  readonly #client: PoolClient;
  #given = false;

  constructor(client: PoolClient) {
    this.#client = client;
    // Without a listener a terminated backend would end this process.
    client.on('error', ignore);
  }

  get processId(): number {
    return numberOf(this.#client, 'processID');
  }

  /** Begins a transaction that cannot write and does not last. */
  async begin(timeoutMs: number): Promise<void> {
    const transaction = timeoutMs + GRACE_MS;
    await this.#client.query(
      `BEGIN TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = ${transaction}`,
    );
  }

  /** Begins anew after an error. */
  async restart(timeoutMs: number): Promise<void> {
    await this.#client.query('ROLLBACK');
    await this.begin(timeoutMs);
  }

  /** Runs a statement of a user; what came of it is in the statement. */
  read(statement: Submittable & { readonly ended: Promise<void> }): Promise<void> {
    this.#client.query(statement);
    return statement.ended;
  }

  /** Runs a statement of our own. */
  async rows(text: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const query = { text, values: [...params], rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' };
    return (await this.#client.query<(string | null)[]>(query)).rows;
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

  /** Forgets the call, so that the next one finds nothing of it, and goes back to the pool. Not for the caller to wait for. */
  giveBack(): void {
    if (this.#given) return;
    this.#clean().then(
      () => this.#release(false),
      () => this.destroy(),
    );
  }

  /** Closes the connection: what state it is in, nobody knows. */
  destroy(): void {
    this.#release(true);
  }

  async #clean(): Promise<void> {
    await this.#client.query('ROLLBACK');
    await this.#client.query('DISCARD ALL');
    await this.#client.query('SET default_transaction_read_only = on');
  }

  #release(broken: boolean): void {
    if (this.#given) return;
    this.#given = true;
    this.#client.release(broken);
    if (!broken) this.#client.off('error', ignore);
  }

  #key(): BackendKey {
    const { host, port } = this.#client;
    const ssl: boolean | ConnectionOptions = this.#client.ssl;
    return { host, port, ssl, processId: this.processId, secretKey: numberOf(this.#client, 'secretKey') };
  }
}

const LOCK_TIMEOUT_MS = 3000;
const GRACE_MS = 5000;
const AS_TEXT = { getTypeParser: () => String };

function ignore(): void {
  // The call that uses the connection is told by its own statement.
}

// pg declares neither of the two numbers that name its backend.
function numberOf(client: PoolClient, property: 'processID' | 'secretKey'): number {
  const value: unknown = Reflect.get(client, property);
  if (typeof value !== 'number') throw new TypeError(`the server gave no ${property}`);
  return value;
}
