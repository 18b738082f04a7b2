import type { InterceptedCall, Intercepting } from '@org/mcp-decorators';
import type { Diagnosis, OperatorLog, ServerObject } from '@org/mcp-host';

import { Audit } from './audit/audit.ts';
import type { Database } from './database/database.ts';
import type { Databases } from './database/databases.ts';
import { openDatabases } from './database/open-databases.ts';
import type { DatabaseInput } from './operations/database-input.ts';
import type { PostgresOptions } from './options/postgres-options.ts';

/** What all tools stand on: the operator's options, and the databases. */
export abstract class SqlGround implements ServerObject, Intercepting {
  /** What the operator chose; a subclass with options of its own says so: `declare protected readonly options: AcmeOptions`. */
  protected readonly options: PostgresOptions;
  #databases: Databases | undefined;
  #audit: Audit | undefined;

  constructor(options: PostgresOptions) {
    this.options = options;
  }

  /** The database that an input names. */
  protected databaseFor({ database }: Pick<DatabaseInput, 'database'>): Database {
    return this.databases.get(database);
  }

  /** The databases; there once the server is open. */
  protected get databases(): Databases {
    if (this.#databases === undefined) throw new Error('the server is not open: await server.open()');
    return this.#databases;
  }

  /** Tells the operator's log, and the databases, of every call, once it has ended; an override calls it. */
  async intercept(call: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    try {
      return await (this.#audit === undefined ? next() : this.#audit.around(call, next));
    } finally {
      this.#databases?.answered();
    }
  }

  /**
   * Begins to start the embedded server, if there is no URL; a database of others is connected to by the first call.
   *
   * Throws a `UsageError` for options that do not go together, or a URL that is none.
   */
  open(log?: OperatorLog): Promise<void> | void {
    const databases = openDatabases(this.options);
    this.#databases = databases;
    for (const { id, source } of databases.all)
      if (source.exposure !== undefined) log?.warning(`database ${id}: ${source.exposure}`);
    if (log !== undefined && AUDITED.has(this.options.logLevel))
      this.#audit = new Audit(log, (id) => databases.all.some((each) => each.id === id));
  }

  /** What `check` and `server://info` say of the databases; an override adds to it. */
  async diagnose(): Promise<readonly Diagnosis[]> {
    return Promise.all(this.databases.all.map(diagnosisOf));
  }

  /** Ends what `open` began; an override calls it last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#databases?.[Symbol.asyncDispose]();
    // The last calls have ended by now.
    await this.#audit?.[Symbol.asyncDispose]();
  }
}

/** Levels of the log that have lines of the audit. */
const AUDITED: ReadonlySet<string> = new Set(['debug', 'info']);

async function diagnosisOf(database: Database): Promise<Diagnosis> {
  try {
    const { engine, version, role } = await database.identity();
    const { exposure } = database.source;
    return {
      subject: `database ${database.id}`,
      ok: true,
      detail: `${engine} ${version}, ${database.writer === undefined ? 'read-only' : 'read'} as ${role}${database.writer === undefined ? '' : ', and written by execute'}${exposure === undefined ? '' : `; ${exposure}`}`,
    };
  } catch (error) {
    return { subject: `database ${database.id}`, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
