import { ToolError } from '@org/mcp-decorators';

import { SendableSql } from '../policy/sendable-sql.ts';
import type { BackendProgress } from './backend-progress.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { Control } from './control.ts';
import type { Database } from './database.ts';
import { failure, isMisbound, sqlstateOf, timedOut } from './failures.ts';
import { Interruption, type Backend } from './interruption.ts';
import { LockWatch } from './lock-watch.ts';
import { openingOf } from './settings.ts';
import type { ReadStatement } from './read-statement.ts';
import type { Source } from './source.ts';
import { WriteStatement } from './write-statement.ts';

/** What a piece of work that writes is allowed. */
export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The statement that error positions refer to. */
  readonly sql: string;
  /** Tells how far it is. */
  readonly progress: BackendProgress;
}

type Work<Outcome> = (connection: Connection) => Promise<Outcome>;

/** Changes a database: in transactions of its own, on connections that nobody reads on. */
export class Writer implements AsyncDisposable {
  readonly #database: Database;
  readonly #source: Source;
  readonly #connections: Connections;

  /** @param source as whom it is written */
  constructor(database: Database, source: Source) {
    this.#database = database;
    this.#source = source;
    this.#connections = new Connections(source, { ...database.limits, maxConnections: MAX_CONNECTIONS, isFixed: true });
  }

  /**
   * Does work in a transaction that may write, and rolls it back.
   *
   * @throws ToolError one with the SQLSTATE in its data, for every error of PostgreSQL
   */
  async rehearse<Outcome>(options: WriteOptions, work: Work<Outcome>): Promise<Outcome> {
    return this.#begun(options, work);
  }

  /**
   * Does work in a transaction, and commits it unless the call was cancelled by then.
   *
   * @throws ToolError as `rehearse`, each after a rollback; and OUTCOME_UNKNOWN if the connection was lost during COMMIT and nobody
   * could be asked what came of it
   */
  async commit<Outcome>(options: WriteOptions, work: Work<Outcome>): Promise<Outcome> {
    const { outcomes } = await this.#database.capabilities();
    return this.#begun(options, async (connection, { finished }) => {
      const outcome = await work(connection);
      const [[transaction] = []] = outcomes ? await connection.rows(TRANSACTION, []) : [];
      options.signal.throwIfAborted();
      finished();
      await this.#commit(connection, transaction ?? undefined);
      return outcome;
    });
  }

  /**
   * Runs a statement that PostgreSQL refuses inside of a transaction; what it did before it failed may stay.
   *
   * @throws ToolError as `commit`
   */
  async alone(options: WriteOptions, statement: ReadStatement): Promise<void> {
    await this.#interruptible(options, async (connection) => {
      connection.begin([]);
      await connection.rows('SET default_transaction_read_only = off', []);
      await connection.rows(`SET statement_timeout = ${options.timeoutMs}`, []);
      try {
        await connection.read(statement);
      } catch (error) {
        if (isLoss(error)) throw unknownOutcome(error);
        // PostgreSQL tells of an error before it has undone what failed: another question is answered after that.
        await connection.rows('SELECT 1', []).catch(ignore);
        throw error;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections[Symbol.asyncDispose]();
  }

  async #begun<Outcome>(options: WriteOptions, work: (connection: Connection, turn: Turn) => Promise<Outcome>): Promise<Outcome> {
    const { transactionTimeout, clientCheck } = await this.#database.capabilities();
    const opening = openingOf({
      ...this.#database.limits,
      statementMs: options.timeoutMs,
      bare: this.#connections.bare,
      transactionTimeout,
      clientCheck,
      writes: true,
    });
    try {
      return await this.#interruptible(options, (connection, turn) => {
        connection.begin(opening);
        return work(connection, turn);
      });
    } catch (error) {
      throw ToolError.is(error) && error.code !== 'OUTCOME_UNKNOWN' ? rolledBack(error) : error;
    }
  }

  async #interruptible<Outcome>(
    { signal, timeoutMs, sql, progress }: WriteOptions,
    work: (connection: Connection, turn: Turn) => Promise<Outcome>,
  ): Promise<Outcome> {
    // Whose role may do more than it should is told before anything is done.
    const can = await this.#database.capabilities();
    const started = performance.now();
    try {
      const connection = await this.#connections.take(signal);
      progress.watch(connection.processId);
      using locks = new LockWatch(this.#database.control, () => (can.session ? connection.processId : undefined));
      const turn = new Turn(connection, { source: this.#source, can, stuck: this.#connections.stuck });
      return await turn.take({ signal, timeoutMs }, work).catch(async (error: unknown) => {
        throw await locks.explained(error);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (sqlstateOf(error) === QUERY_CANCELED && performance.now() - started >= timeoutMs) throw timedOut(timeoutMs);
      throw failure(error, sql);
    }
  }

  async #commit(connection: Connection, transaction: string | undefined): Promise<void> {
    const commit = new WriteStatement({ sql: SendableSql.own('COMMIT'), params: [], onRow: ignore });
    try {
      await connection.read(commit);
    } catch (error) {
      if (!isLoss(error)) throw error;
      const fate = transaction === undefined ? undefined : await this.#fateOf(transaction);
      if (fate === 'committed') return;
      if (fate === 'aborted')
        throw new ToolError('CONNECTION', 'the connection was lost before the change was made', { cause: error });
      throw unknownOutcome(error, transaction);
    }
    if (commit.command !== 'COMMIT') throw new ToolError('QUERY_FAILED', 'the transaction could not be committed');
  }

  /** What came of a transaction whose COMMIT was not answered; it may take the server a while to notice the loss itself. */
  async #fateOf(transaction: string): Promise<string | undefined> {
    await using control = new Control(this.#source);
    for (let tries = 0; tries < FATE_TRIES; tries += 1) {
      const [fate] = await control.row(FATE, [transaction]).catch(() => []);
      if (fate === 'committed' || fate === 'aborted') return fate;
      await new Promise((resolve) => void setTimeout(resolve, FATE_PAUSE_MS));
    }
    return undefined;
  }
}

/** One use of a connection, which can be ended before its time. */
class Turn {
  readonly #connection: Connection;
  readonly #interruption: Interruption;
  #finished = false;

  constructor(connection: Connection, backend: Backend) {
    this.#connection = connection;
    this.#interruption = new Interruption(connection, backend);
  }

  /** From now on nothing interrupts it. */
  readonly finished = (): void => {
    this.#finished = true;
  };

  async take<Outcome>(
    { signal, timeoutMs }: Pick<WriteOptions, 'signal' | 'timeoutMs'>,
    work: (connection: Connection, turn: Turn) => Promise<Outcome>,
  ): Promise<Outcome> {
    const doing = Promise.resolve().then(() => {
      signal.throwIfAborted();
      return work(this.#connection, this);
    });
    const interrupt = (): void => {
      if (!this.#finished) this.#interruption.begin(doing);
    };
    const overdue = setTimeout(interrupt, timeoutMs + OVERDUE_MS).unref();
    signal.addEventListener('abort', interrupt);
    try {
      return await Promise.race([doing, this.#interruption.gaveUp]);
    } finally {
      clearTimeout(overdue);
      signal.removeEventListener('abort', interrupt);
      if (!this.#interruption.begun) void this.#connection.giveBack();
    }
  }
}

function rolledBack({ code, message, hint, data, cause }: ToolError): ToolError {
  const said =
    data?.['running'] === true
      ? 'nothing will be changed: the transaction is rolled back as soon as the database server can'
      : 'nothing was changed: the transaction was rolled back';
  return new ToolError(code, message, {
    cause,
    hint: hint === undefined ? said : `${said}; ${hint}`,
    data: { ...data, committed: false },
  });
}

function unknownOutcome(cause: unknown, transaction?: string): ToolError {
  return new ToolError(
    'OUTCOME_UNKNOWN',
    'the connection was lost before the database answered: whether the change was made is not known',
    {
      cause,
      hint:
        transaction === undefined
          ? 'look whether it was, before trying again'
          : `query select pg_xact_status('${transaction}') once the database can be reached: committed or aborted`,
      data: { ...(transaction !== undefined && { transaction }), retryable: false },
    },
  );
}

/** The connection, not the statement, failed; PostgreSQL says so with the classes 08 and 57P, or says nothing any more. */
function isLoss(error: unknown): boolean {
  const state = sqlstateOf(error);
  if (error instanceof Error && isMisbound(error)) return false;
  return state === undefined ? error instanceof Error && !ToolError.is(error) : /^(?:08|57P)/.test(state);
}

function ignore(): void {
  // It has no rows.
}

const TRANSACTION = 'select pg_current_xact_id_if_assigned()::text';
const QUERY_CANCELED = '57014';
const OVERDUE_MS = 2000;
const FATE = SendableSql.own('select pg_xact_status($1::xid8)');
const MAX_CONNECTIONS = 4;
const FATE_TRIES = 10;
const FATE_PAUSE_MS = 200;
