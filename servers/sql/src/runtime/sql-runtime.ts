import path from 'node:path';

import type { InterceptedCall } from '@org/mcp-decorators';
import { resolveStateDirectory, type Diagnosis, type OperatorLog, type ServerOptions } from '@org/mcp-host';

import type { Databases } from '../engine/databases.ts';
import { disposeInOrder } from '../engine/dispose-in-order.ts';
import { formatAccess, type SqlDatabase } from '../engine/sql-database.ts';
import { SchemaNotifier } from '../resources/schema-notifier.ts';
import { ExportDirectory } from '../result-store/export-directory.ts';
import { ResultStore } from '../result-store/result-store.ts';
import type { SavedQueries, SavedQueriesSource } from '../saved-queries/saved-queries.ts';
import { Audit } from './audit.ts';

/** The options of the server that `SqlRuntime` uses. */
interface RuntimeOptions extends Pick<ServerOptions, 'logLevel' | 'stateDir'> {
  /** Maximum number of bytes of all stored results and exports together. */
  readonly maxStoredBytes: number;
  /** Milliseconds after the last use until a finished result or export expires. */
  readonly resultLifetime: number;
  /** Directory to which exports are copied. */
  readonly exportDir?: string | undefined;
  /** Directory of saved queries. */
  readonly queries?: string | undefined;
}

/** The members of a server that its runtime uses. */
interface RuntimeServer extends Pick<SavedQueriesSource, 'query' | 'databaseFor'> {
  /** The object whose clients are notified of changes. */
  readonly server: object;
  readonly log: OperatorLog | undefined;
}

/** Log levels at which the operator's log contains the lines of the audit. */
const AUDITED: ReadonlySet<string> = new Set(['debug', 'info']);

/** The state of a server between `open` and its disposal: databases, stored results, saved queries and the audit. */
export class SqlRuntime<Database extends SqlDatabase> implements AsyncDisposable {
  readonly schemas: SchemaNotifier;
  readonly #options: RuntimeOptions;
  #databases: Databases<Database> | undefined;
  #results: ResultStore | undefined;
  #exports: ExportDirectory | undefined;
  #saved: SavedQueries | undefined;
  #audit: Audit | undefined;

  /** @param reconnected called when a database is reachable again; notifications may have been missed until then */
  constructor(options: RuntimeOptions, reconnected: () => void) {
    this.#options = options;
    this.schemas = new SchemaNotifier(reconnected);
  }

  /** @throws Error before `open` */
  get databases(): Databases<Database> {
    if (this.#databases === undefined) throw new Error('the server is not open: await server.open()');
    return this.#databases;
  }

  /** Stored results and exports, which expire. The store is created on first use. */
  get results(): ResultStore {
    this.#results ??= new ResultStore({
      directory: path.join(resolveStateDirectory('mcp-sql', this.#options), 'spool'),
      maxBytes: this.#options.maxStoredBytes,
      idleMs: this.#options.resultLifetime,
    });
    return this.#results;
  }

  /** The directory of `--export-dir`; `undefined` without that option. */
  get exportDirectory(): ExportDirectory | undefined {
    return this.#exports;
  }

  /** The saved queries of `--queries`; `undefined` without that option. */
  get savedQueries(): SavedQueries | undefined {
    return this.#saved;
  }

  /**
   * Begins to serve databases, and opens the directories of exports and saved queries. Waits for at most five seconds until the
   * databases have described the saved queries.
   *
   * Throws a `UsageError` for a directory that cannot be opened.
   */
  async open(databases: Databases<Database>, { server, databaseFor, query, log }: RuntimeServer): Promise<void> {
    this.#databases = databases;
    for (const { id, exposure } of databases.all) if (exposure !== undefined) log?.warning(`database ${id}: ${exposure}`);
    if (log !== undefined && AUDITED.has(this.#options.logLevel)) this.#audit = new Audit(log, databases);
    const { queries: directory, exportDir } = this.#options;
    if (exportDir !== undefined) this.#exports = await ExportDirectory.open(exportDir);
    if (directory === undefined) return;
    const [{ engine }] = databases.all;
    const { SavedQueries: Saved } = await import('../saved-queries/saved-queries.ts');
    this.#saved = await Saved.open(server, {
      directory,
      uriScheme: engine.uriScheme,
      databaseFor,
      query,
      schemas: this.schemas,
      log,
    });
  }

  /** Records a call in the audit, and notifies the databases of the end of the call. */
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
    // The audit ends last, because the last calls end with the databases and must still be logged.
    await disposeInOrder([this.#saved, this.schemas, this.#results, this.#databases, this.#audit]);
  }
}

async function diagnoseDatabase(database: SqlDatabase): Promise<Diagnosis> {
  const { id, engine, exposure, route, writable } = database;
  const subject = `database ${id}`;
  try {
    const { version, role } = await database.facts({ signal: new AbortController().signal });
    const way = route === undefined ? '' : `, through ${route}`;
    const note = exposure === undefined ? '' : `; ${exposure}`;
    return { subject, ok: true, detail: `${engine.name} ${version}, ${formatAccess({ role, writable })}${way}${note}` };
  } catch (error) {
    return { subject, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
