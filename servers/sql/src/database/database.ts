import type { RequestContext } from '@org/mcp-decorators';
import { roomInResult } from '@org/mcp-host';

import { CachedCatalog } from '../catalog/cached-catalog.ts';
import { Policy, type PolicyOptions } from '../policy/policy.ts';
import type { Row } from '../rows/format.ts';
import { Alarm } from './alarm.ts';
import { capabilitiesOf, type Capabilities } from './capabilities.ts';
import { ColumnTypes } from './column-types.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import type { Connection } from './connection.ts';
import { Control } from './control.ts';
import { failure, sqlstateOf, timedOut } from './failures.ts';
import { identityOf, requireUnprivileged, type Identity } from './identity.ts';
import { Interruption } from './interruption.ts';
import { LockWatch } from './lock-watch.ts';
import { openingOf } from './settings.ts';
import type { Source } from './source.ts';
import { Writer } from './writer.ts';

/** How a database is used. */
export interface DatabaseOptions extends ConnectionLimits, PolicyOptions {
  /** Most rows that a call may ask for. */
  readonly maxRows: number;
  /** Maximum number of bytes that a call returns. */
  readonly maxBytes: number;
  /** How long a call that writes may be given, where that is longer than `timeoutMs`. */
  readonly writeTimeoutMs: number;
  /** Most that a statement that reads may cost by the planner's estimate; default: anything. */
  readonly maxCost?: number | undefined;
  /** Accept a role that a read-only transaction does not bind. */
  readonly allowPrivilegedRole: boolean;
  /** It may be written, unless it is `readOnly`. */
  readonly writable?: boolean;
  readonly readOnly?: boolean;
}

/** Where a piece of work is done: in a transaction that cannot write and is rolled back. */
export interface ReadOnlyWork {
  readonly connection: Connection;
  /** Ends what the connection is doing; what it returns after that does not count. */
  readonly interrupt: () => void;
}

type Work<Outcome> = (work: ReadOnlyWork) => Promise<Outcome>;

/** What a piece of work is allowed. */
export interface WorkOptions {
  readonly signal: AbortSignal;
  /** Default: the database's. */
  readonly timeoutMs?: number;
  /** The statement that error positions refer to. */
  readonly sql?: string;
}

/** A database, which is only read but for what its writer does. */
export class Database implements AsyncDisposable {
  /** By which tools and resources name it. */
  readonly id: string;
  readonly source: Source;
  /** The options, except that `maxBytes` is what a result has left for its body. */
  readonly limits: DatabaseOptions;
  /** Maximum number of bytes of a text, of structured content and of `_meta`. */
  readonly maxResultBytes: number;
  readonly columnTypes: ColumnTypes = new ColumnTypes();
  /** The names that it holds. */
  readonly catalog: CachedCatalog = new CachedCatalog();
  /** What may be sent of what callers write. */
  readonly policy: Policy;
  /** For questions about what the others do. */
  readonly control: Control;
  /** Changes it; `undefined` if it is only read. */
  readonly writer: Writer | undefined;
  readonly #connections: Connections;
  readonly #allowPrivilegedRole: boolean;
  #probe: Promise<Probe> | undefined;
  #isKnown = false;
  #can: Capabilities | undefined;
  #opening: { readonly key: string; readonly texts: readonly string[] } | undefined;

  constructor(id: string, source: Source, options: DatabaseOptions) {
    this.id = id;
    this.source = source;
    this.maxResultBytes = options.maxBytes;
    this.limits = { ...options, maxBytes: roomInResult(options.maxBytes) };
    this.policy = new Policy(options);
    this.control = new Control(source);
    this.#connections = new Connections(source, options);
    const { writable = false, readOnly = false } = options;
    this.writer = writable && !readOnly ? new Writer(this, source.writer ?? source) : undefined;
    this.#allowPrivilegedRole = options.allowPrivilegedRole || source.embedded;
  }

  /** How long a call may take: what it asks for, up to the limit. */
  timeoutFor({ timeout_ms = this.limits.timeoutMs }: { readonly timeout_ms?: number }): number {
    return Math.min(timeout_ms, this.limits.timeoutMs);
  }

  /** How long a call that writes may take. */
  writeTimeoutFor({ timeout_ms = this.limits.timeoutMs }: { readonly timeout_ms?: number }): number {
    return Math.min(timeout_ms, Math.max(this.limits.timeoutMs, this.limits.writeTimeoutMs));
  }

  /**
   * What database this is.
   *
   * @throws ToolError CONNECTION, and POLICY_DENIED for a role that could do more than read
   */
  async identity(): Promise<Identity> {
    const { identity } = await this.#probed();
    if (!this.#allowPrivilegedRole) requireUnprivileged(identity);
    this.#isKnown = true;
    return identity;
  }

  /**
   * What the server and the role can do; asked once.
   *
   * @throws ToolError those of `identity`
   */
  async capabilities(): Promise<Capabilities> {
    await this.identity();
    return (await this.#probed()).capabilities;
  }

  /** Rows of a query of our own. */
  async rows(
    text: string,
    params: readonly (string | null)[],
    { signal }: Pick<RequestContext, 'signal'>,
  ): Promise<readonly Row[]> {
    return this.readOnly({ signal, sql: text }, ({ connection }) => connection.lastRows(text, params));
  }

  /**
   * Does work in a read-only transaction and forgets it; a cancelled one is ended in the database.
   *
   * @throws ToolError one with the SQLSTATE in its data, for every error of PostgreSQL
   */
  async readOnly<Outcome>(options: WorkOptions, work: Work<Outcome>): Promise<Outcome> {
    if (!this.#isKnown) await this.identity();
    return this.#work(options, work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      this.control[Symbol.asyncDispose](),
      this.writer?.[Symbol.asyncDispose](),
      this.#connections[Symbol.asyncDispose](),
      this.source[Symbol.asyncDispose](),
    ]);
  }

  #probed(): Promise<Probe> {
    this.#probe ??= this.#probing();
    return this.#probe;
  }

  #probing(): Promise<Probe> {
    const asking = ({ connection }: ReadOnlyWork): Promise<Probe> => probe(connection, this.#connections.bare);
    const probing = this.#work({ signal: new AbortController().signal }, asking);
    probing.then(
      ({ capabilities }) => {
        this.#can = capabilities;
      },
      () => {
        // One that failed is asked for again.
        this.#probe = undefined;
      },
    );
    return probing;
  }

  async #work<Outcome>({ signal, timeoutMs = this.limits.timeoutMs, sql }: WorkOptions, work: Work<Outcome>): Promise<Outcome> {
    const started = performance.now();
    try {
      const connection = await this.#connections.take(signal);
      return await this.#interruptible(connection, { signal, timeoutMs }, work);
    } catch (error) {
      signal.throwIfAborted();
      if (sqlstateOf(error) === QUERY_CANCELED && performance.now() - started >= timeoutMs) throw timedOut(timeoutMs);
      throw failure(error, sql);
    }
  }

  #openingOf(statementMs: number): readonly string[] {
    const { bare } = this.#connections;
    const { transactionTimeout = false, clientCheck = false } = this.#can ?? {};
    const key = `${statementMs} ${bare} ${transactionTimeout} ${clientCheck}`;
    // That of most calls is the same.
    if (this.#opening?.key !== key)
      this.#opening = { key, texts: openingOf({ ...this.limits, statementMs, bare, transactionTimeout, clientCheck }) };
    return this.#opening.texts;
  }

  async #interruptible<Outcome>(
    connection: Connection,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
    work: Work<Outcome>,
  ): Promise<Outcome> {
    const interruption = new Interruption(connection, {
      source: this.source,
      can: this.#can,
      stuck: this.#connections.stuck,
    });
    const interrupt = (): void => interruption.begin(doing);
    connection.begin(this.#openingOf(timeoutMs));
    const doing = (async () => {
      signal.throwIfAborted();
      return work({ connection, interrupt });
    })();
    // A server that no longer answers does not keep its own timeout either. No `using` here: it costs a measurable part of a call.
    let isOverdue = false;
    const overdue = new Alarm(timeoutMs + OVERDUE_MS, () => {
      isOverdue = true;
      interrupt();
    });
    signal.addEventListener('abort', interrupt);
    const locks = new LockWatch(this.control, () => (this.#can?.session === true ? connection.processId : undefined));
    try {
      return await Promise.race([doing, interruption.gaveUp]);
    } catch (error) {
      // A backend that is idle in a transaction, or runs a statement that cannot be interrupted, ends only on termination.
      if (isOverdue && sqlstateOf(error) === ADMIN_SHUTDOWN) throw timedOut(timeoutMs);
      throw await locks.explained(error);
    } finally {
      signal.removeEventListener('abort', interrupt);
      overdue[Symbol.dispose]();
      locks[Symbol.dispose]();
      if (!interruption.begun) void connection.giveBack();
    }
  }
}

/** What is asked of a database once. */
interface Probe {
  readonly identity: Identity;
  readonly capabilities: Capabilities;
}

async function probe(connection: Connection, bare: boolean): Promise<Probe> {
  const identity = await identityOf(connection);
  const capabilities = await capabilitiesOf(connection, bare);
  // The call that asked for this goes on with the same connection, instead of making another.
  await connection.giveBack();
  return { identity, capabilities };
}

const QUERY_CANCELED = '57014';
const ADMIN_SHUTDOWN = '57P01';
const OVERDUE_MS = 2000;
