import path from 'node:path';

import { locateNative } from '../../database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../database/embedded/embedded-postgres.ts';
import type { ConnectionSettings } from '../../database/protocol/driver.ts';
import { loadPg } from '../../database/protocol/load-pg.ts';
import { formatTarget, type Candidate } from '../candidates/candidate.ts';
import { estimateIndexBytes, estimateRows } from '../candidates/estimate-size.ts';
import type { TableFacts } from '../statement/table-facts.ts';
import { toError, type AssumedIndex, type CandidateIndex, type PlannableStatement, type Planner } from '../planning/planner.ts';
import { CREATED_INDEX, toCandidate, type CreatedIndex } from './created-index.ts';
import { CANDIDATE_INDEXES, GRANT, INDEX_SHARES, RESIZE, RESTORE_COLUMNS, RESTORE_RELATION } from './model-sql.ts';
import { MAX_RELATIONS, type ModelSchema } from './read-schema.ts';
import { extendSparsely } from './sparse-file.ts';

type Client = InstanceType<Awaited<ReturnType<typeof loadPg>>['Client']>;

/** An index in the model, with its estimated size. */
interface ModelIndex extends AssumedIndex {
  readonly oids: readonly string[];
  readonly bytes: number;
  readonly rows: number;
}

const PAGE_BYTES = 8192;
/** Maximum number of pages of all relations: 4 TiB. Their files need no disk space, but one file per GiB. */
const MAX_PAGES = (4 * 2 ** 40) / PAGE_BYTES;

/**
 * A temporary server with the schema and the statistics of a database, but without its rows. Files with holes have the sizes of the
 * tables, so the planner decides as on the database.
 *
 * A hostile database may send any text as its schema, so a role without privileges runs these texts, one statement each. Another
 * such role plans the statements. The superuser runs only constant SQL of this package, which finds names in
 * `pg_catalog` alone.
 */
export class ModelDatabase implements Planner, AsyncDisposable {
  readonly #embedded: EmbeddedPostgres;
  readonly #superuser: Client;
  readonly #owner: Client;
  readonly #planner: Client;
  readonly #directory: string;
  readonly #schema: ModelSchema;
  readonly #indexes: ModelIndex[] = [];
  #problem: Error | undefined;

  private constructor(embedded: EmbeddedPostgres, clients: ModelClients, directory: string, schema: ModelSchema) {
    this.#embedded = embedded;
    this.#schema = schema;
    this.#superuser = clients.superuser;
    this.#owner = clients.owner;
    this.#planner = clients.planner;
    this.#directory = directory;
  }

  /**
   * Starts a server and copies the schema. Statements that read a relation which cannot be copied cannot be planned.
   *
   * @throws an error if the embedded server is not installed or lacks an extension of the schema, or if the tables are too many or
   * too large
   */
  static async create(schema: ModelSchema, timeoutMs: number, signal: AbortSignal): Promise<ModelDatabase> {
    requireCopyable(schema);
    const settings = { autovacuum: 'off', shared_buffers: '16MB', statement_timeout: String(timeoutMs) };
    const embedded = await EmbeddedPostgres.start({ native: locateNative(), writable: true, settings });
    try {
      signal.throwIfAborted();
      const clients = {
        superuser: await connect({ ...embedded.superuser, options: '-c search_path=pg_catalog' }),
        owner: await connect(embedded.writer),
        planner: await connect(embedded.reader),
      };
      const { rows } = await clients.superuser.query<{ data_directory: string }>('show data_directory');
      const model = new ModelDatabase(embedded, clients, rows[0]?.data_directory ?? '', schema);
      await model.#copy(schema, signal);
      return model;
    } catch (error) {
      await embedded[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Why a relation could not be copied; `undefined` if all were copied. */
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
   * @throws the error of PostgreSQL for a statement that it rejects
   */
  async addIndexes(
    statements: readonly string[],
    tables: readonly TableFacts[],
    signal: AbortSignal,
  ): Promise<readonly AssumedIndex[]> {
    const created: CreatedIndex[] = [];
    for (const statement of statements) {
      signal.throwIfAborted();
      const { rows: last } = await this.#owner.query<{ oid: string }>('select max(oid)::text as oid from pg_class');
      await this.#owner.query(single(statement));
      const { rows } = await this.#owner.query<{ index: CreatedIndex }>(CREATED_INDEX, [last[0]?.oid]);
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
    await this.#superuser.query(
      'update pg_index set indisvalid = (indexrelid = any ($1::oid[])) where indexrelid = any ($2::oid[])',
      [shown, all],
    );
    try {
      return await this.#plan(statement);
    } catch (error) {
      throw this.#problem ?? error;
    }
  }

  async #plan({ sql, params, generic }: PlannableStatement): Promise<string> {
    const options = `EXPLAIN (FORMAT JSON, VERBOSE${generic ? ', GENERIC_PLAN' : ''}) `;
    // With parameters, the statement uses the extended protocol. The option GENERIC_PLAN needs the simple protocol. The text has one
    // statement, which the parser of the policy has checked.
    const { rows } = generic
      ? await this.#planner.query<Record<string, unknown>>(`${options}${sql}`)
      : await this.#planner.query<Record<string, unknown>>(single(`${options}${sql}`, params));
    return JSON.stringify(Object.values(rows[0] ?? {})[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.#superuser.end(), this.#owner.end(), this.#planner.end()]);
    await this.#embedded[Symbol.asyncDispose]();
  }

  async #copy({ setup, relations, indexes, statistics, settings }: ModelSchema, signal: AbortSignal): Promise<void> {
    for (const client of [this.#owner, this.#planner])
      await client.query('select set_config(key, value, false) from jsonb_each_text($1::jsonb)', [settings]);
    for (const ddl of setup) {
      signal.throwIfAborted();
      await this.#owner.query(single(ddl));
    }
    for (const { ddl } of relations) {
      signal.throwIfAborted();
      await this.#owner.query(single(ddl)).catch((error: unknown) => {
        this.#problem ??= toError(error);
      });
    }
    // An index on a function of a user cannot be copied; the statement is planned without that index.
    for (const { ddl } of indexes) await this.#owner.query(single(ddl)).catch(() => undefined);
    await this.#owner.query(RESTORE_COLUMNS, [statistics]);
    await this.#owner.query(GRANT);
  }

  async #addCandidate(candidate: Candidate, name: string): Promise<(ModelIndex & CandidateIndex) | undefined> {
    try {
      await this.#owner.query(single(`create index ${name} on ${formatTarget(candidate)}`));
    } catch {
      return undefined;
    }
    const { rows } = await this.#owner.query<{ oid: string; name: string }>(CANDIDATE_INDEXES, [candidate.table.schema, name]);
    return {
      candidate,
      names: new Set(rows.map((row) => row.name)),
      oids: rows.map(({ oid }) => oid),
      bytes: estimateIndexBytes(candidate),
      rows: estimateRows(candidate.table),
    };
  }

  /** Gives the tables their sizes, after the indexes were created: creating an index would read the pages. */
  async #restoreTables(signal: AbortSignal): Promise<void> {
    const { relations, indexes } = this.#schema;
    for (const relation of [...relations, ...indexes].filter(({ stored }) => stored)) {
      signal.throwIfAborted();
      const { schema, name, sql, pages, relpages, reltuples, relallvisible } = relation;
      // Creating an index has changed the figures of its table.
      await this.#owner.query(RESTORE_RELATION, [schema, name, relpages, reltuples, relallvisible]);
      await this.#extend(sql, pages);
    }
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
      Number(/"Plan Rows":([\d.]+)/.exec(await this.#plan({ sql, params: [], generic: false }))?.[1] ?? 1);
    const all = await count(`select from ${table}`);
    return Math.min(1, (await count(`select from ${table} where ${where}`)) / all);
  }

  async #resizeIndex({ oids, bytes, rows: tuples }: ModelIndex): Promise<void> {
    const { rows } = await this.#owner.query<{ sql: string; share: number }>(INDEX_SHARES, [oids]);
    for (const { sql, share } of rows) {
      const pages = Math.ceil((bytes / PAGE_BYTES) * share);
      await this.#superuser.query(RESIZE, [sql, pages, tuples * share]);
      await this.#extend(sql, pages);
    }
  }

  async #extend(sql: string, pages: number): Promise<void> {
    const { rows } = await this.#superuser.query<{ file: string | null }>(
      'select pg_relation_filepath(to_regclass($1)) as file',
      [sql],
    );
    const file = rows[0]?.file ?? '';
    if (RELATION_FILE.test(file)) await extendSparsely(path.join(this.#directory, file), pages);
  }
}

function requireCopyable({ relations, indexes }: ModelSchema): void {
  if (relations.length > MAX_RELATIONS) throw new Error(`more than ${MAX_RELATIONS} tables and partitions are read`);
  const pages = [...relations, ...indexes].reduce((sum, relation) => sum + relation.pages, 0);
  if (pages > MAX_PAGES) throw new Error('the tables are larger than 4 TiB');
}

const RELATION_FILE = /^base\/\d+\/\d+$/;

type ModelClients = Readonly<Record<'superuser' | 'owner' | 'planner', Client>>;

/** Returns a query for the extended protocol, which rejects a second statement in the text. */
function single(
  text: string,
  params: readonly (string | null)[] = [],
): { readonly text: string; readonly values: (string | null)[] } {
  const query = { text, values: [...params], queryMode: 'extended' };
  return query;
}

async function connect(settings: ConnectionSettings): Promise<Client> {
  const { Client } = await loadPg();
  const client = new Client(settings);
  // A server that stops closes the connection with an error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
