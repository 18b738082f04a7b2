import type { Connection } from '../database/connect/connection.ts';

/** Facts about the database that decide which indexes are possible. */
export interface DatabaseFacts {
  /** Schema of the extension pg_trgm as SQL; `undefined` if the extension is not installed. */
  readonly trigrams: string | undefined;
  /** Schema of the extension hypopg as SQL; `undefined` if the extension is not installed. */
  readonly hypopg: string | undefined;
  /** Name of the partitioned table at the root, keyed by the name of a partition. */
  readonly partitions: ReadonlyMap<string, string>;
}

export async function readDatabaseFacts(connection: Connection, relations: readonly string[]): Promise<DatabaseFacts> {
  const extensions = new Map((await connection.rows(EXTENSIONS, [])).map(([name, schema]) => [name, schema ?? undefined]));
  const rows = await connection.rows(ROOTS, [JSON.stringify(relations)]);
  return {
    trigrams: extensions.get('pg_trgm'),
    hypopg: extensions.get('hypopg'),
    partitions: new Map(rows.map(([partition, root]) => [partition ?? '', root ?? ''])),
  };
}

const EXTENSIONS = `
  select e.extname, quote_ident(n.nspname) from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace
  where e.extname = any (array['pg_trgm', 'hypopg']::name[])`;

const ROOTS = `
  with recursive above (partition, oid) as (
    select c.relname, h.inhparent from pg_class c
    join pg_inherits h on h.inhrelid = c.oid
    where c.relispartition and c.relname = any (array(select json_array_elements_text($1::json))::name[])
    union all
    select a.partition, h.inhparent from above a join pg_inherits h on h.inhrelid = a.oid
  )
  select a.partition, c.relname from above a join pg_class c on c.oid = a.oid
  where not c.relispartition`;
