import { ToolError } from '@org/mcp-decorators';

import { getSqlstate } from '../database/errors/failures.ts';
import { ModelServer, single } from '../indexes/model/model-server.ts';
import { GRANT, RESIZE, RESTORE_COLUMNS } from '../indexes/model/model-sql.ts';
import { toError } from '../indexes/planning/planner.ts';
import type { DatabaseCopy } from './read-copy.ts';
import { LOCKS, NEW_INDEXES, OBJECTS, TABLES_WITH_ROWS } from './rehearsal-sql.ts';

export interface CopiedRelation {
  readonly oid: string;
  /** `pg_class.relkind`. */
  readonly kind: string;
  /** Qualified name as SQL. */
  readonly sql: string;
  /** Number of the file, which changes if PostgreSQL rewrites the relation. */
  readonly file: string;
}

interface CopiedColumn {
  readonly table: string;
  readonly number: number;
  readonly sql: string;
  readonly type: string;
  /**
   * Whether rows that existed before the column was added have a value in the column: a default, or a value that was computed
   * then.
   */
  readonly filled: boolean;
}

export interface CopiedConstraint {
  readonly oid: string;
  readonly table: string;
  readonly name: string;
  /** `pg_constraint.contype`: c, n or f. */
  readonly kind: string;
  readonly validated: boolean;
  readonly condition: string | null;
  readonly numbers: readonly number[] | null;
  readonly columns: readonly string[] | null;
  readonly parent: string | null;
  readonly parent_columns: readonly string[] | null;
}

export interface UniqueIndex {
  readonly oid: string;
  readonly table: string;
  readonly name: string;
  /** Columns and expressions as SQL. */
  readonly keys: readonly string[];
  readonly condition: string | null;
  readonly nulls_equal: boolean;
}

/** The objects of users in the copy. */
export interface CopiedObjects {
  readonly relations: readonly CopiedRelation[];
  readonly columns: readonly CopiedColumn[];
  readonly constraints: readonly CopiedConstraint[];
  readonly unique: readonly UniqueIndex[];
}

/** A statement of the migration. */
export interface MigrationStatement {
  readonly text: string;
  /** Whether PostgreSQL runs the statement inside a transaction. */
  readonly isTransactional: boolean;
}

/** The effects of a statement in the copy. */
export interface RunOutcome {
  readonly before: CopiedObjects;
  readonly after: CopiedObjects;
  /**
   * Locks other than ACCESS SHARE on relations that existed before the statement; `undefined` if the statement runs outside a
   * transaction.
   */
  readonly locks: readonly { readonly object: string; readonly mode: string }[] | undefined;
  /**
   * Error of the statement because of the sampled rows; `undefined` without such an error. The statement was then repeated on
   * empty tables.
   */
  readonly rowError: Error | undefined;
  /** Error of the statement, or of its repetition on empty tables; `undefined` if it succeeded. */
  readonly error: Error | undefined;
}

/** A temporary copy of a part of a database, in which a migration runs. */
export class RehearsalDatabase implements AsyncDisposable {
  readonly #server: ModelServer;
  readonly #copy: DatabaseCopy;
  /** Statements of the schema that failed in the copy, each with its error. */
  readonly problems: string[] = [];

  private constructor(server: ModelServer, copy: DatabaseCopy) {
    this.#server = server;
    this.#copy = copy;
  }

  /**
   * Starts a server, and copies the schema and the sampled rows.
   *
   * @throws an error if the embedded server is not installed, or if the tables are too many or too large
   */
  static async create(copy: DatabaseCopy, timeoutMs: number, signal: AbortSignal): Promise<RehearsalDatabase> {
    const server = await ModelServer.start(copy.schema, timeoutMs, signal);
    try {
      // If the call is cancelled, the server is stopped, so that the call does not wait for the statement that runs in the copy.
      signal.addEventListener('abort', () => void server[Symbol.asyncDispose](), { once: true });
      const database = new RehearsalDatabase(server, copy);
      await database.#create(signal);
      return database;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the objects of users in the copy. */
  async objects(): Promise<CopiedObjects> {
    const { rows } = await this.#server.superuser.query<{ json_build_object: CopiedObjects }>(OBJECTS);
    return rows[0]?.json_build_object ?? { relations: [], columns: [], constraints: [], unique: [] };
  }

  /**
   * Runs a statement of the migration. If the sampled rows make the statement fail, it runs again on empty tables, and the
   * sampled rows are inserted afterwards.
   */
  async run(statement: MigrationStatement): Promise<RunOutcome> {
    let before = await this.objects();
    let rowError: Error | undefined;
    let { locks, error } = await this.#runOnce(statement, before);
    if (error !== undefined && /^2[23]/.test(getSqlstate(error) ?? '')) {
      rowError = error;
      await this.empty();
      before = await this.objects();
      ({ locks, error } = await this.#runOnce(statement, before));
      await this.#insertSamples();
    }
    return { before, after: await this.objects(), locks, rowError, error };
  }

  /** Removes all rows of tables, including rows that the migration has inserted. */
  async empty(): Promise<void> {
    const { rows } = await this.#server.superuser.query<{ sql: string }>(TABLES_WITH_ROWS);
    const tables = rows.map(({ sql }) => sql).join(', ');
    if (tables !== '') await this.#server.owner.query(`truncate ${tables} cascade`).catch(ignore);
  }

  /**
   * Removes all rows, and gives the tables the statistics and sizes that they have in the database. Tables and columns with new
   * names get no statistics. New indexes get an estimated size.
   */
  async restoreStatistics(signal: AbortSignal): Promise<void> {
    const { relations, indexes, statistics } = this.#copy.schema;
    await this.empty();
    await this.#server.owner.query(RESTORE_COLUMNS, [statistics]);
    await this.#server.owner.query(GRANT);
    await this.#server.restoreSizes([...relations, ...indexes], signal);
    const { relations: present } = await this.objects();
    const known = new Set(indexes.map(({ sql }) => sql));
    const old = present.filter(({ sql }) => known.has(sql)).map(({ oid }) => oid);
    const { rows } = await this.#server.superuser.query<{ sql: string; rows: number; pages: number }>(NEW_INDEXES, [old]);
    for (const { sql, rows: tuples, pages } of rows) {
      await this.#server.superuser.query(RESIZE, [sql, pages, tuples]);
      await this.#server.extend(sql, pages);
    }
  }

  /** Returns the plan of a statement for any values of its parameters, as JSON. */
  async plan(sql: string): Promise<string> {
    return this.#server.plan({ sql, params: [], generic: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async #create(signal: AbortSignal): Promise<void> {
    const { schema, ddl } = this.#copy;
    await this.#server.owner.query('set check_function_bodies = off');
    const late = ddl.filter((statement) => LATE.test(statement));
    await this.#createAll([...schema.setup, ...ddl.filter((statement) => !LATE.test(statement))], signal);
    await this.#insertSamples();
    await this.#createAll(late.map(omitValidation), signal);
  }

  async #insertSamples(): Promise<void> {
    for (const { table, columns, rows } of this.#copy.samples) {
      const insert = `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1)`;
      await this.#server.owner.query(single(insert, [rows])).catch(ignore);
    }
  }

  /**
   * Runs statements, and repeats the failed statements as long as one of them succeeds. The reason is that an object may be
   * listed before an object that it needs. Adds the statements that still fail to `problems`.
   */
  async #createAll(statements: readonly string[], signal: AbortSignal): Promise<void> {
    let left = statements;
    for (let failed: Map<string, Error>; left.length > 0; left = [...failed.keys()]) {
      failed = new Map();
      for (const statement of left) {
        signal.throwIfAborted();
        const error = await this.#attempt(statement);
        if (error !== undefined && !EXISTS.has(getSqlstate(error) ?? '')) failed.set(statement, error);
      }
      if (failed.size < left.length) continue;
      this.problems.push(...[...failed].map(([statement, { message }]) => `${firstLine(statement)}: ${message}`));
      return;
    }
  }

  async #attempt(statement: string): Promise<Error | undefined> {
    return this.#server.owner.query(single(statement)).then(() => undefined, toError);
  }

  async #runOnce(
    { text, isTransactional }: MigrationStatement,
    before: CopiedObjects,
  ): Promise<Pick<RunOutcome, 'locks' | 'error'>> {
    if (!isTransactional) return { locks: undefined, error: await this.#attempt(text) };
    const { owner, superuser } = this.#server;
    if ((await this.#attempt('begin')) !== undefined)
      throw new ToolError('QUERY_FAILED', 'a statement ended the session in the copy', {
        hint: 'remove that statement from the migration',
      });
    const error = await this.#attempt(text);
    const existing = before.relations.map(({ oid }) => oid);
    const pid = await owner.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid').catch(() => undefined);
    const locks = await superuser.query<{ object: string; mode: string }>(LOCKS, [pid?.rows[0]?.pid ?? 0, existing]);
    const failed = error ?? (await this.#attempt('commit'));
    if (failed !== undefined) await this.#attempt('rollback');
    return { locks: locks.rows, error: failed };
  }
}

/**
 * Adds NOT VALID to a foreign key, because the sample may lack rows to which the sampled rows refer. Returns any other statement
 * unchanged.
 */
function omitValidation(statement: string): string {
  const isForeignKey = statement.includes(' ADD CONSTRAINT ') && statement.includes(' FOREIGN KEY ');
  return isForeignKey ? statement.replace(/(?: NOT VALID)?;$/, ' NOT VALID;') : statement;
}

function firstLine(statement: string): string {
  return statement.split('\n', 1)[0]?.slice(0, MAX_LINE) ?? '';
}

function ignore(): void {
  // If sampled rows cannot be inserted, the statements of the migration run without these rows.
}

const MAX_LINE = 120;
/**
 * Pattern for statements that run after the sampled rows are inserted, because foreign keys, triggers and policies could reject
 * or change the rows.
 */
const LATE = /\bFOREIGN KEY\b|^CREATE (?:CONSTRAINT )?TRIGGER |ROW LEVEL SECURITY;$|^CREATE POLICY /;
/**
 * SQLSTATEs for an object that exists already. These errors are ignored, because the statements of a table also create its
 * partitions.
 */
const EXISTS: ReadonlySet<string> = new Set(['42P07', '42710', '42P06', '42723', '42P16']);
