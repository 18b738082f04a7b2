import path from 'node:path';

import type { InterceptedCall } from '@org/mcp-decorators';
import { resolveStateDirectory, type Diagnosis, type OperatorLog, type ServerOptions } from '@org/mcp-host';

import type { Database } from '../postgres/database/database.ts';
import type { Databases } from '../engine/databases.ts';
import { openDatabases, type DatabasesOptions } from '../postgres/database/open-databases.ts';
import { SchemaNotifier } from '../resources/schema-notifier.ts';
import { ResultStore } from '../result-store/result-store.ts';
import type { SavedQueries, SavedQueriesSource } from '../saved-queries/saved-queries.ts';
import { Audit } from './audit.ts';

/** The options of the server on which its state depends. */
export interface RuntimeOptions extends DatabasesOptions, Pick<ServerOptions, 'logLevel'> {
  /** Maximum number of bytes of all stored results and exports together. */
  readonly maxSpool: number;
  /** Milliseconds after the last use until a stored result or an export expires. */
  readonly keepMs: number;
  /** Directory of saved queries. */
  readonly queries?: string | undefined;
}

/** Log levels at which the operator's log contains the lines of the audit. */
const AUDITED: ReadonlySet<string> = new Set(['debug', 'info']);

/** The state of a server between `open` and its disposal: databases, stored results, saved queries and the audit. */
export class PostgresRuntime implements AsyncDisposable {
  readonly schemas: SchemaNotifier;
  readonly #options: RuntimeOptions;
  #databases: Databases | undefined;
  #results: ResultStore | undefined;
  #saved: SavedQueries | undefined;
  #audit: Audit | undefined;

  /** @param reconnected called when a database is reachable again; notifications may have been missed until then */
  constructor(options: RuntimeOptions, reconnected: () => void) {
    this.#options = options;
    this.schemas = new SchemaNotifier(reconnected);
  }

  /** @throws Error before `open` */
  get databases(): Databases {
    if (this.#databases === undefined) throw new Error('the server is not open: await server.open()');
    return this.#databases;
  }

  /** Stored results and exports, which expire. The store is created on first use. */
  get results(): ResultStore {
    this.#results ??= new ResultStore({
      directory: path.join(resolveStateDirectory('mcp-sql', this.#options), 'spool'),
      maxBytes: this.#options.maxSpool,
      idleMs: this.#options.keepMs,
    });
    return this.#results;
  }

  /** The saved queries of `--queries`; `undefined` without that option. */
  get savedQueries(): SavedQueries | undefined {
    return this.#saved;
  }

  /**
   * Starts the embedded server if no URL is set, and reads the directory of saved queries; waits for at most five seconds until the
   * database has described the queries. A database of a URL is connected to by the first call.
   *
   * Throws a `UsageError` for options that contradict each other, an invalid URL or a directory that cannot be opened.
   */
  async open(server: object, calls: Pick<SavedQueriesSource, 'databaseFor' | 'query'>, log?: OperatorLog): Promise<void> {
    const databases = openDatabases(this.#options);
    this.#databases = databases;
    for (const { id, source } of databases.all)
      if (source.exposure !== undefined) log?.warning(`database ${id}: ${source.exposure}`);
    if (log !== undefined && AUDITED.has(this.#options.logLevel))
      this.#audit = new Audit(log, (id) => databases.all.some((each) => each.id === id));
    const { queries: directory } = this.#options;
    if (directory === undefined) return;
    const { SavedQueries: Saved } = await import('../saved-queries/saved-queries.ts');
    this.#saved = await Saved.open(server, { directory, ...calls, schemas: this.schemas, log });
  }

  /** Records a call in the audit, and reports its end to the databases. */
  async intercept(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    try {
      return await (this.#audit === undefined ? next() : this.#audit.record(call, next));
    } finally {
      this.#databases?.notifyCallEnded();
    }
  }

  /** Reports the state of each database and of each saved query. */
  async diagnose(): Promise<readonly Diagnosis[]> {
    const databases = await Promise.all(this.databases.all.map(diagnoseDatabase));
    return [...databases, ...((await this.#saved?.diagnose()) ?? [])];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#saved?.[Symbol.asyncDispose]();
    await this.schemas[Symbol.asyncDispose]();
    await this.#results?.[Symbol.asyncDispose]();
    await this.#databases?.[Symbol.asyncDispose]();
    // The last calls have ended by now.
    await this.#audit?.[Symbol.asyncDispose]();
  }
}

async function diagnoseDatabase(database: Database): Promise<Diagnosis> {
  const subject = `database ${database.id}`;
  try {
    const { engine, version, role } = await database.identity();
    const { exposure } = database.source;
    const access = database.writer === undefined ? `read-only as ${role}` : `read as ${role}, and written by execute`;
    return { subject, ok: true, detail: `${engine} ${version}, ${access}${exposure === undefined ? '' : `; ${exposure}`}` };
  } catch (error) {
    return { subject, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
