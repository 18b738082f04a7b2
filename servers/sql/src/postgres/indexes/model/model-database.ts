import { formatTarget, type Candidate } from '../candidates/candidate.ts';
import { estimateIndexBytes, estimateRows } from '../candidates/estimate-size.ts';
import type { TableFacts } from '../statement/table-facts.ts';
import { toError, type AssumedIndex, type CandidateIndex, type PlannableStatement, type Planner } from '../planning/planner.ts';
import { CREATED_INDEX, toCandidate, type CreatedIndex } from './created-index.ts';
import { ModelServer, PAGE_BYTES, single } from './model-server.ts';
import { CANDIDATE_INDEXES, GRANT, INDEX_SHARES, RESIZE, RESTORE_COLUMNS } from './model-sql.ts';
import type { ModelSchema } from './read-schema.ts';

/** An index in the model, with its estimated size. */
interface ModelIndex extends AssumedIndex {
  readonly oids: readonly string[];
  readonly bytes: number;
  readonly rows: number;
}

/**
 * A temporary server with the schema and the statistics of a database, but without its rows. Files with holes have the sizes of
 * the tables, so that the planner makes the decisions that it would probably make on the database.
 */
export class ModelDatabase implements Planner, AsyncDisposable {
  readonly #server: ModelServer;
  readonly #schema: ModelSchema;
  readonly #indexes: ModelIndex[] = [];
  #problem: Error | undefined;

  private constructor(server: ModelServer, schema: ModelSchema) {
    this.#server = server;
    this.#schema = schema;
  }

  /**
   * Starts a server and copies the schema. Statements that read a relation which cannot be copied cannot be planned.
   *
   * @throws an error if the embedded server is not installed or lacks an extension of the schema, or if the tables are too many or
   * too large
   */
  static async create(schema: ModelSchema, timeoutMs: number, signal: AbortSignal): Promise<ModelDatabase> {
    const server = await ModelServer.start(schema, timeoutMs, signal);
    try {
      const model = new ModelDatabase(server, schema);
      await model.#copy(schema, signal);
      return model;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the error of the first relation that could not be copied; `undefined` if all relations were copied. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  async addCandidates(candidates: readonly Candidate[], signal: AbortSignal): Promise<readonly CandidateIndex[]> {
    const added: (ModelIndex & CandidateIndex)[] = [];
    for (const [place, candidate] of candidates.entries()) {
      signal.throwIfAborted();
      const created = await this.#addCandidate(candidate, `mcp_candidate_${place}`);
      if (created !== undefined) added.push(created);
    }
    await this.#restoreTables(signal);
    this.#indexes.push(...added);
    for (const index of added) await this.#resizeIndex(index);
    return added;
  }

  /**
   * Adds the indexes that CREATE INDEX statements create.
   *
   * @param tables the tables on which the indexes may be
   * @throws the error of PostgreSQL for a statement that it rejects, and an error for an index on any other table
   */
  async addIndexes(
    statements: readonly string[],
    tables: readonly TableFacts[],
    signal: AbortSignal,
  ): Promise<readonly AssumedIndex[]> {
    const created: CreatedIndex[] = [];
    for (const statement of statements) {
      signal.throwIfAborted();
      const { rows: last } = await this.#server.owner.query<{ oid: string }>('select max(oid)::text as oid from pg_class');
      await this.#server.owner.query(single(statement));
      const { rows } = await this.#server.owner.query<{ index: CreatedIndex }>(CREATED_INDEX, [last[0]?.oid]);
      created.push(...rows.map(({ index }) => index));
    }
    await this.#restoreTables(signal);
    for (const index of created) this.#indexes.push(await this.#measure(index, tables));
    for (const index of this.#indexes) await this.#resizeIndex(index);
    return this.#indexes;
  }

  async explain(statement: PlannableStatement, visible: readonly AssumedIndex[], signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const shown = this.#indexes.filter((index) => visible.includes(index)).flatMap(({ oids }) => oids);
    const all = this.#indexes.flatMap(({ oids }) => oids);
    await this.#server.superuser.query(
      'update pg_index set indisvalid = (indexrelid = any ($1::oid[])) where indexrelid = any ($2::oid[])',
      [shown, all],
    );
    try {
      return await this.#server.plan(statement);
    } catch (error) {
      throw this.#problem ?? error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  async #copy({ setup, relations, indexes, statistics }: ModelSchema, signal: AbortSignal): Promise<void> {
    for (const ddl of setup) {
      signal.throwIfAborted();
      await this.#server.owner.query(single(ddl));
    }
    for (const { ddl } of relations) {
      signal.throwIfAborted();
      await this.#server.owner.query(single(ddl)).catch((error: unknown) => {
        this.#problem ??= toError(error);
      });
    }
    // An index on a user-defined function cannot be copied. Statements are planned without that index.
    for (const { ddl } of indexes) await this.#server.owner.query(single(ddl)).catch(() => undefined);
    await this.#server.owner.query(RESTORE_COLUMNS, [statistics]);
    await this.#server.owner.query(GRANT);
  }

  async #addCandidate(candidate: Candidate, name: string): Promise<(ModelIndex & CandidateIndex) | undefined> {
    try {
      await this.#server.owner.query(single(`create index ${name} on ${formatTarget(candidate)}`));
    } catch {
      return undefined;
    }
    const { rows } = await this.#server.owner.query<{ oid: string; name: string }>(CANDIDATE_INDEXES, [
      candidate.table.schema,
      name,
    ]);
    return {
      candidate,
      names: new Set(rows.map((row) => row.name)),
      oids: rows.map(({ oid }) => oid),
      bytes: estimateIndexBytes(candidate),
      rows: estimateRows(candidate.table),
    };
  }

  async #restoreTables(signal: AbortSignal): Promise<void> {
    const { relations, indexes } = this.#schema;
    await this.#server.restoreSizes([...relations, ...indexes], signal);
  }

  async #measure(index: CreatedIndex, tables: readonly TableFacts[]): Promise<ModelIndex> {
    const table = tables.find(({ schema, name }) => schema === index.schema && name === index.table);
    if (table === undefined) throw new Error(`the statement does not read ${index.schema}.${index.table}`);
    const candidate = toCandidate(index, table);
    const share = index.where === null ? 1 : await this.#estimateShare(table.sql, index.where);
    return {
      names: new Set(index.names),
      oids: index.oids,
      bytes: estimateIndexBytes(candidate) * share,
      rows: estimateRows(table) * share,
    };
  }

  /** Returns the share of the rows of a table for which a condition holds, as the planner estimates it. */
  async #estimateShare(table: string, where: string): Promise<number> {
    const count = async (sql: string): Promise<number> =>
      Number(/"Plan Rows":([\d.]+)/.exec(await this.#server.plan({ sql, params: [], generic: false }))?.[1] ?? 1);
    const all = await count(`select from ${table}`);
    return Math.min(1, (await count(`select from ${table} where ${where}`)) / all);
  }

  async #resizeIndex({ oids, bytes, rows: tuples }: ModelIndex): Promise<void> {
    const { rows } = await this.#server.owner.query<{ sql: string; share: number }>(INDEX_SHARES, [oids]);
    for (const { sql, share } of rows) {
      const pages = Math.ceil((bytes / PAGE_BYTES) * share);
      await this.#server.superuser.query(RESIZE, [sql, pages, tuples * share]);
      await this.#server.extend(sql, pages);
    }
  }
}
