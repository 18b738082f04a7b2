import path from 'node:path';

import { locateNative } from '../../database/embedded/binaries.ts';
import { EmbeddedPostgres } from '../../database/embedded/embedded-postgres.ts';
import type { ConnectionSettings } from '../../database/protocol/driver.ts';
import { loadPg } from '../../database/protocol/load-pg.ts';
import type { PlannableStatement } from '../planning/planner.ts';
import { RESTORE_RELATION } from './model-sql.ts';
import type { ModelRelation, ModelSchema } from './read-schema.ts';
import { extendSparsely } from './sparse-file.ts';

type Client = InstanceType<Awaited<ReturnType<typeof loadPg>>['Client']>;

export const PAGE_BYTES = 8192;
/** Maximum number of pages of all relations: 4 TiB. The files of the model need no disk space, but each GiB needs one file. */
const MAX_PAGES = (4 * 2 ** 40) / PAGE_BYTES;

/**
 * A temporary server for a copy of a schema. A hostile database may send any text as its schema, so a role that is not a
 * superuser runs these texts, one statement each. Another such role plans the statements. The superuser runs only constant SQL of
 * this package, which finds names in `pg_catalog` alone.
 */
export class ModelServer implements AsyncDisposable {
  readonly superuser: Client;
  /** Connection of the role that owns the copied objects. */
  readonly owner: Client;
  /** Connection of the role that plans statements. */
  readonly planner: Client;
  readonly #embedded: EmbeddedPostgres;
  readonly #directory: string;

  private constructor(
    embedded: EmbeddedPostgres,
    clients: Readonly<Record<'superuser' | 'owner' | 'planner', Client>>,
    directory: string,
  ) {
    this.#embedded = embedded;
    this.superuser = clients.superuser;
    this.owner = clients.owner;
    this.planner = clients.planner;
    this.#directory = directory;
  }

  /**
   * Starts a server.
   *
   * @param timeoutMs timeout of each statement
   * @throws an error if the embedded server is not installed, or if the tables of the schema are too many or too large
   */
  static async start(
    { relations, indexes, settings, maxRelations }: ModelSchema,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ModelServer> {
    requireCopyable({ relations, indexes, maxRelations });
    const options = { autovacuum: 'off', shared_buffers: '16MB', statement_timeout: String(timeoutMs) };
    const embedded = await EmbeddedPostgres.start({ native: locateNative(), writable: true, settings: options });
    try {
      signal.throwIfAborted();
      const clients = {
        superuser: await connect({ ...embedded.superuser, options: '-c search_path=pg_catalog' }),
        owner: await connect(embedded.writer),
        planner: await connect(embedded.reader),
      };
      const { rows } = await clients.superuser.query<{ data_directory: string }>('show data_directory');
      for (const client of [clients.owner, clients.planner])
        await client.query('select set_config(key, value, false) from jsonb_each_text($1::jsonb)', [settings]);
      return new ModelServer(embedded, clients, rows[0]?.data_directory ?? '');
    } catch (error) {
      await embedded[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the plan of a statement as JSON. */
  async plan({ sql, params, generic }: PlannableStatement): Promise<string> {
    const options = `EXPLAIN (FORMAT JSON, VERBOSE${generic ? ', GENERIC_PLAN' : ''}) `;
    // The option GENERIC_PLAN needs the simple protocol. The text has one statement, which the parser of the policy has checked.
    const { rows } = generic
      ? await this.planner.query<Record<string, unknown>>(`${options}${sql}`)
      : await this.planner.query<Record<string, unknown>>(single(`${options}${sql}`, params));
    return JSON.stringify(Object.values(rows[0] ?? {})[0]);
  }

  /** Gives relations their sizes, after their indexes were created: creating an index would read the pages. */
  async restoreSizes(relations: readonly ModelRelation[], signal: AbortSignal): Promise<void> {
    for (const relation of relations.filter(({ stored }) => stored)) {
      signal.throwIfAborted();
      const { schema, name, sql, pages, relpages, reltuples, relallvisible } = relation;
      // Creating an index has changed the numbers of pages and rows of its table in `pg_class`.
      await this.owner.query(RESTORE_RELATION, [schema, name, relpages, reltuples, relallvisible]);
      await this.extend(sql, pages);
    }
  }

  /** Extends the file of a relation with a hole, if the relation exists. */
  async extend(sql: string, pages: number): Promise<void> {
    const { rows } = await this.superuser.query<{ file: string | null }>('select pg_relation_filepath(to_regclass($1)) as file', [
      sql,
    ]);
    const file = rows[0]?.file ?? '';
    if (RELATION_FILE.test(file)) await extendSparsely(path.join(this.#directory, file), pages);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.superuser.end(), this.owner.end(), this.planner.end()]);
    await this.#embedded[Symbol.asyncDispose]();
  }
}

function requireCopyable({
  relations,
  indexes,
  maxRelations,
}: Pick<ModelSchema, 'relations' | 'indexes' | 'maxRelations'>): void {
  if (relations.length > maxRelations)
    throw new Error(`more tables, views and partitions would be copied than --max-copied-tables allows, ${maxRelations}`);
  const pages = [...relations, ...indexes].reduce((sum, relation) => sum + relation.pages, 0);
  if (pages > MAX_PAGES) throw new Error('the tables are larger than 4 TiB');
}

const RELATION_FILE = /^base\/\d+\/\d+$/;

/** Returns a query for the extended protocol, which rejects a second statement in the text. */
export function single(
  text: string,
  params: readonly (string | null)[] = [],
): { readonly text: string; readonly values: (string | null)[] } {
  const query = { text, values: [...params], queryMode: 'extended' };
  return query;
}

async function connect(settings: ConnectionSettings): Promise<Client> {
  const { Client } = await loadPg();
  const client = new Client(settings);
  // A server that stops closes the connection with an error, which would end this process without a listener.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
