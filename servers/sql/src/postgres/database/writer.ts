import { isNativeError } from 'node:util/types';

import { ToolError } from '@org/mcp-decorators';

import { SendableSql } from '../policy/parse/sendable-sql.ts';
import type { BackendProgress } from './progress/backend-progress.ts';
import type { Connection } from './connect/connection.ts';
import { Connections } from './pool/connections.ts';
import { Control } from './connect/control.ts';
import type { ReadOnlyDatabase } from './query/read-only-database.ts';
import { getSqlstate, isParameterCountError, translateStatementError } from './errors/failures.ts';
import { QueryCancellation, type Backend } from './query/query-cancellation.ts';
import { LockWatch } from './query/lock-watch.ts';
import { buildOpening } from './connect/settings.ts';
import type { ReadStatement } from './protocol/read-statement.ts';
import type { Source } from './connect/source.ts';
import { WriteStatement } from './protocol/write-statement.ts';

/** Options of a write. */
export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The statement that error positions refer to. */
  readonly sql: string;
  /** Reports the progress of the work. */
  readonly progress: BackendProgress;
}

type Work<Outcome> = (connection: Connection) => Promise<Outcome>;

/** Writes to a database, in separate transactions on connections that are not used for reading. */
export class Writer implements AsyncDisposable {
  readonly #database: ReadOnlyDatabase;
  readonly #source: Source;
  readonly #connections: Connections;

  /** @param source connects as the role that writes */
  constructor(database: ReadOnlyDatabase, source: Source) {
    this.#database = database;
    this.#source = source;
    this.#connections = new Connections(source, { ...database.limits, maxConnections: MAX_CONNECTIONS, isFixed: true });
  }

  /**
   * Runs work in a transaction that may write, and rolls back the transaction.
   *
   * @throws ToolError with the SQLSTATE in its data, for every error of PostgreSQL
   */
  async dryRun<Outcome>(options: WriteOptions, work: Work<Outcome>): Promise<Outcome> {
    return this.#runInTransaction(options, work);
  }

  /**
   * Runs work in a transaction, and commits the transaction unless the call was cancelled before the commit.
   *
   * @throws ToolError as `dryRun`, each after a rollback; OUTCOME_UNKNOWN if the connection was lost during COMMIT and the server
   * could not report the outcome of the transaction
   */
  async commit<Outcome>(options: WriteOptions, work: Work<Outcome>): Promise<Outcome> {
    const { outcomes } = await this.#database.capabilities();
    return this.#runInTransaction(options, async (connection, { preventCancel }) => {
      const outcome = await work(connection);
      const [[transaction] = []] = outcomes ? await connection.rows(TRANSACTION, []) : [];
      options.signal.throwIfAborted();
      preventCancel();
      await this.#commit(connection, transaction ?? undefined);
      return outcome;
    });
  }

  /**
   * Runs a statement that PostgreSQL rejects inside a transaction. If the statement fails, earlier effects may remain.
   *
   * @throws ToolError with the SQLSTATE in its data, for every error of PostgreSQL; OUTCOME_UNKNOWN if the connection was lost
   * before the statement was answered
   */
  async outsideTransaction(options: WriteOptions, statement: ReadStatement): Promise<void> {
    await this.#runCancellable(options, async (connection) => {
      connection.begin([]);
      await connection.rows('SET default_transaction_read_only = off', []);
      await connection.rows(`SET statement_timeout = ${options.timeoutMs}`, []);
      try {
        await connection.read(statement);
      } catch (error) {
        if (isConnectionLoss(error)) throw toUnknownOutcomeError(error);
        // PostgreSQL reports an error before it has rolled back the statement. The next answer arrives after the rollback.
        await connection.rows('SELECT 1', []).catch(ignore);
        throw error;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]();
  }

  async #runInTransaction<Outcome>(
    options: WriteOptions,
    work: (connection: Connection, run: CancellableRun) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { transactionTimeout, clientCheck } = await this.#database.capabilities();
    const opening = buildOpening({
      ...this.#database.limits,
      statementMs: options.timeoutMs,
      bare: this.#connections.bare,
      transactionTimeout,
      clientCheck,
      writes: true,
    });
    try {
      return await this.#runCancellable(options, (connection, run) => {
        connection.begin(opening);
        return work(connection, run);
      });
    } catch (error) {
      throw ToolError.is(error) && error.code !== 'OUTCOME_UNKNOWN' ? toRolledBackError(error) : error;
    }
  }

  async #runCancellable<Outcome>(
    { signal, timeoutMs, sql, progress }: WriteOptions,
    work: (connection: Connection, run: CancellableRun) => Promise<Outcome>,
  ): Promise<Outcome> {
    // `capabilities` rejects a privileged role before the work starts.
    const can = await this.#database.capabilities();
    const startedAt = performance.now();
    try {
      const connection = await this.#connections.take(signal);
      progress.watch(connection.processId);
      using locks = new LockWatch(this.#database.control, () => (can.session ? connection.processId : undefined));
      const run = new CancellableRun(connection, { source: this.#source, can, stuck: this.#connections.stuck });
      return await run.execute({ signal, timeoutMs }, work).catch(async (error: unknown) => {
        throw await locks.addBlockers(error);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw translateStatementError(error, { sql, startedAt, timeoutMs });
    }
  }

  async #commit(connection: Connection, transaction: string | undefined): Promise<void> {
    const commit = new WriteStatement({ sql: SendableSql.own('COMMIT'), params: [], onRow: ignore });
    try {
      await connection.read(commit);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      const outcome = transaction === undefined ? undefined : await this.#resolveOutcome(transaction);
      if (outcome === 'committed') return;
      if (outcome === 'aborted')
        throw new ToolError('CONNECTION', 'the connection was lost before the change was made', { cause: error });
      throw toUnknownOutcomeError(error, transaction);
    }
    if (commit.command !== 'COMMIT') throw new ToolError('QUERY_FAILED', 'the transaction could not be committed');
  }

  /**
   * Returns the outcome of a transaction whose COMMIT was not answered: `committed`, `aborted` or `undefined` if unknown. Repeats
   * the query, because the server may notice the lost connection later.
   */
  async #resolveOutcome(transaction: string): Promise<string | undefined> {
    await using control = new Control(this.#source);
    for (let tries = 0; tries < OUTCOME_ATTEMPTS; tries += 1) {
      const [outcome] = await control.row(OUTCOME_QUERY, [transaction]).catch(() => []);
      if (outcome === 'committed' || outcome === 'aborted') return outcome;
      await new Promise((resolve) => void setTimeout(resolve, OUTCOME_PAUSE_MS));
    }
    return undefined;
  }
}

/** One use of a connection, during which the work can be cancelled. */
class CancellableRun {
  readonly #connection: Connection;
  readonly #cancellation: QueryCancellation;
  #isCancelPrevented = false;

  constructor(connection: Connection, backend: Backend) {
    this.#connection = connection;
    this.#cancellation = new QueryCancellation(connection, backend);
  }

  /** Prevents a cancel from now on. */
  readonly preventCancel = (): void => {
    this.#isCancelPrevented = true;
  };

  async execute<Outcome>(
    { signal, timeoutMs }: Pick<WriteOptions, 'signal' | 'timeoutMs'>,
    work: (connection: Connection, run: CancellableRun) => Promise<Outcome>,
  ): Promise<Outcome> {
    const running = Promise.resolve().then(() => {
      signal.throwIfAborted();
      return work(this.#connection, this);
    });
    const interrupt = (): void => {
      if (!this.#isCancelPrevented) this.#cancellation.start(running);
    };
    const overdue = setTimeout(interrupt, timeoutMs + OVERDUE_MS).unref();
    signal.addEventListener('abort', interrupt);
    try {
      return await Promise.race([running, this.#cancellation.gaveUp]);
    } finally {
      clearTimeout(overdue);
      signal.removeEventListener('abort', interrupt);
      if (!this.#cancellation.hasStarted) void this.#connection.release();
    }
  }
}

function toRolledBackError({ code, message, hint, data, cause }: ToolError): ToolError {
  const consequence =
    data?.['running'] === true
      ? 'nothing will be changed: the database server rolls the transaction back when it stops computing'
      : 'nothing was changed: the transaction was rolled back';
  return new ToolError(code, message, {
    cause,
    hint: hint === undefined ? consequence : `${consequence}; ${hint}`,
    data: { ...data, committed: false },
  });
}

function toUnknownOutcomeError(cause: unknown, transaction?: string): ToolError {
  return new ToolError(
    'OUTCOME_UNKNOWN',
    'the connection was lost before the database answered: whether the change was made is not known',
    {
      cause,
      hint:
        transaction === undefined
          ? 'check whether the change was made before trying again'
          : `query select pg_xact_status('${transaction}') once the database can be reached: committed or aborted`,
      data: { ...(transaction !== undefined && { transaction }), retryable: false },
    },
  );
}

/**
 * Whether an error means that the connection failed, not the statement. PostgreSQL then reports an SQLSTATE of the classes 08 and
 * 57P, or no longer answers.
 */
function isConnectionLoss(error: unknown): boolean {
  const state = getSqlstate(error);
  if (error instanceof Error && isParameterCountError(error)) return false;
  return state === undefined ? isNativeError(error) && !ToolError.is(error) : /^(?:08|57P)/.test(state);
}

function ignore(): void {
  // COMMIT returns no rows, and a failure of `SELECT 1` does not matter to the caller.
}

const TRANSACTION = 'select pg_current_xact_id_if_assigned()::text';
const OVERDUE_MS = 2000;
const OUTCOME_QUERY = 'select pg_xact_status($1::xid8)';
const MAX_CONNECTIONS = 4;
const OUTCOME_ATTEMPTS = 10;
const OUTCOME_PAUSE_MS = 200;
