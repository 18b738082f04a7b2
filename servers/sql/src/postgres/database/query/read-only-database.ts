import type { RequestContext } from '@org/mcp-decorators';

import { limitCalls, type CallLimits, type CallOptions } from '../../../engine/limits.ts';
import type { Row } from '../../../rows/format.ts';
import { CoarseTimer } from '../pool/coarse-timer.ts';
import { readCapabilities, type Capabilities } from '../connect/capabilities.ts';
import { Connections, type ConnectionLimits } from '../pool/connections.ts';
import type { Connection } from '../connect/connection.ts';
import { Control } from '../connect/control.ts';
import { getSqlstate, statementTimeoutError, translateStatementError } from '../errors/failures.ts';
import { readIdentity, requireUnprivileged, type Identity } from '../connect/identity.ts';
import { QueryCancellation } from './query-cancellation.ts';
import { LockWatch } from './lock-watch.ts';
import { buildOpening } from '../connect/settings.ts';
import type { Source } from '../connect/source.ts';

/** Limits and permissions for reading a database. */
export interface ReadOnlyDatabaseOptions extends ConnectionLimits, CallOptions {
  /** Maximum planner cost of a statement that reads. Default: no limit. */
  readonly maxCost?: number | undefined;
  /** Whether to accept a role with privileges that a read-only transaction does not restrict. */
  readonly allowPrivilegedRole: boolean;
}

/** Means for work in a read-only transaction, which is rolled back. */
export interface ReadOnlyWork {
  readonly connection: Connection;
  /** Cancels the current statement of the connection. The connection is closed afterwards. */
  readonly interrupt: () => void;
}

type Work<Outcome> = (work: ReadOnlyWork) => Promise<Outcome>;

/** Options of work in a read-only transaction. */
export interface WorkOptions {
  readonly signal: AbortSignal;
  /**
   * Timeout of each statement in ms. The whole transaction is cancelled 2 s after this time. Default: the timeout of the
   * database.
   */
  readonly timeoutMs?: number;
  /** The statement that the positions in errors refer to. */
  readonly sql?: string;
}

/** Runs work on a database in transactions that cannot write and are rolled back. */
export class ReadOnlyDatabase<Options extends ReadOnlyDatabaseOptions = ReadOnlyDatabaseOptions> implements AsyncDisposable {
  /** Id of the database in tools and resources. */
  readonly id: string;
  readonly source: Source;
  /** The options, and the limits of results. */
  readonly limits: Options & CallLimits;
  /** Connection for queries about other sessions. */
  readonly control: Control;
  readonly #connections: Connections;
  readonly #allowPrivilegedRole: boolean;
  #probe: Promise<Probe> | undefined;
  #isKnown = false;
  #can: Capabilities | undefined;
  #opening: { readonly key: string; readonly texts: readonly string[] } | undefined;

  constructor(id: string, source: Source, options: Options) {
    this.id = id;
    this.source = source;
    this.limits = limitCalls(options);
    this.control = new Control(source);
    this.#connections = new Connections(source, options);
    this.#allowPrivilegedRole = options.allowPrivilegedRole || source.embedded;
  }

  /**
   * Returns the identity of the database.
   *
   * @throws ToolError CONNECTION if the connection fails; POLICY_DENIED for a role with privileges that a read-only transaction
   * does not restrict, unless `allowPrivilegedRole` is true
   */
  async identity(): Promise<Identity> {
    const { identity } = await this.#getProbe();
    if (!this.#allowPrivilegedRole) requireUnprivileged(identity);
    this.#isKnown = true;
    return identity;
  }

  /**
   * Returns the capabilities of the server and the role. Queries the server once.
   *
   * @throws errors of `identity`
   */
  async capabilities(): Promise<Capabilities> {
    await this.identity();
    return (await this.#getProbe()).capabilities;
  }

  /** Returns the rows of a query of this program. */
  async rows(
    text: string,
    params: readonly (string | null)[],
    { signal }: Pick<RequestContext, 'signal'>,
  ): Promise<readonly Row[]> {
    return this.readOnly({ signal, sql: text }, ({ connection }) => connection.lastRows(text, params));
  }

  /**
   * Runs work in a read-only transaction and rolls back the transaction. If the call is cancelled, the current statement is also
   * cancelled in the database. If the server had closed the connection before the first statement, the work runs again on another
   * connection.
   *
   * @throws ToolError with the SQLSTATE in its data, for every error of PostgreSQL
   */
  async readOnly<Outcome>(options: WorkOptions, work: Work<Outcome>): Promise<Outcome> {
    if (!this.#isKnown) await this.identity();
    return this.#run(options, work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      this.control[Symbol.asyncDispose](),
      this.#connections[Symbol.asyncDispose](),
      this.source[Symbol.asyncDispose](),
    ]);
  }

  #getProbe(): Promise<Probe> {
    this.#probe ??= this.#startProbe();
    return this.#probe;
  }

  #startProbe(): Promise<Probe> {
    const asking = ({ connection }: ReadOnlyWork): Promise<Probe> => probe(connection, this.#connections.bare);
    const probing = this.#run({ signal: new AbortController().signal }, asking);
    probing.then(
      ({ capabilities }) => {
        this.#can = capabilities;
      },
      () => {
        // A failed probe is discarded, so the next call probes again.
        this.#probe = undefined;
      },
    );
    return probing;
  }

  async #run<Outcome>(
    { signal, timeoutMs = this.limits.statementTimeout, sql }: WorkOptions,
    work: Work<Outcome>,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    try {
      return await this.#runConnected({ signal, timeoutMs }, work);
    } catch (error) {
      signal.throwIfAborted();
      throw translateStatementError(error, { sql, startedAt, timeoutMs });
    }
  }

  async #runConnected<Outcome>(
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
    work: Work<Outcome>,
  ): Promise<Outcome> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#connections.take(options.signal);
      try {
        return await this.#runCancellable(connection, options, work);
      } catch (error) {
        // The server had closed an idle connection, so the statement never reached the server. Every idle connection may be
        // closed, so the work is repeated at most `maxConnections` times.
        const isUnsent = error instanceof Error && 'code' in error && error.code === 'EPIPE' && !connection.hasAnswered;
        if (!isUnsent || attempt > this.limits.maxConnections) throw error;
        connection.destroy();
      }
    }
  }

  #getOpening(statementMs: number): readonly string[] {
    const { bare } = this.#connections;
    const { transactionTimeout = false, clientCheck = false } = this.#can ?? {};
    const key = `${statementMs} ${bare} ${transactionTimeout} ${clientCheck}`;
    // The opening is cached, because most calls use the same opening.
    if (this.#opening?.key !== key)
      this.#opening = { key, texts: buildOpening({ ...this.limits, statementMs, bare, transactionTimeout, clientCheck }) };
    return this.#opening.texts;
  }

  async #runCancellable<Outcome>(
    connection: Connection,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
    work: Work<Outcome>,
  ): Promise<Outcome> {
    const cancellation = new QueryCancellation(connection, {
      source: this.source,
      can: this.#can,
      stuck: this.#connections.stuck,
    });
    const interrupt = (): void => cancellation.start(running);
    connection.begin(this.#getOpening(timeoutMs));
    const running = (async () => {
      signal.throwIfAborted();
      return work({ connection, interrupt });
    })();
    // A server that no longer answers does not enforce its own timeout, so this timer cancels the work. The timer is disposed
    // below, because `using` would take a measurable part of the time of a call.
    let isOverdue = false;
    const overdue = new CoarseTimer(timeoutMs + OVERDUE_MS, () => {
      isOverdue = true;
      interrupt();
    });
    signal.addEventListener('abort', interrupt);
    const locks = new LockWatch(this.control, () => (this.#can?.session === true ? connection.processId : undefined));
    try {
      return await Promise.race([running, cancellation.gaveUp]);
    } catch (error) {
      // A backend that is idle in a transaction, or runs a statement that cannot be interrupted, ends only on termination. The
      // termination is reported as a timeout.
      if (isOverdue && getSqlstate(error) === ADMIN_SHUTDOWN) throw statementTimeoutError(timeoutMs);
      throw await locks.addBlockers(error);
    } finally {
      signal.removeEventListener('abort', interrupt);
      overdue[Symbol.dispose]();
      locks[Symbol.dispose]();
      if (!cancellation.hasStarted) void connection.release();
    }
  }
}

/** Identity and capabilities, which are queried once per database. */
interface Probe {
  readonly identity: Identity;
  readonly capabilities: Capabilities;
}

async function probe(connection: Connection, bare: boolean): Promise<Probe> {
  const identity = await readIdentity(connection);
  const capabilities = await readCapabilities(connection, bare);
  // The connection is free before the caller takes one, so the caller does not open another connection.
  await connection.release();
  return { identity, capabilities };
}

const ADMIN_SHUTDOWN = '57P01';
const OVERDUE_MS = 2000;
