import type { Database } from '../database/database.ts';

/**
 * A text that changes when the schema does, within a second of the commit, by the counters of the catalogs that tell of it; they
 * need no rights and stay as they are while rows are written. `undefined` where there are none.
 */
export async function catalogVersion(database: Database, signal: AbortSignal): Promise<string | undefined> {
  if (!(await database.capabilities()).counters) return undefined;
  const [[version] = []] = await database.rows(COUNTERS, [], { signal });
  return version ?? undefined;
}

const COUNTERS = `
  select sum(n_tup_ins) || ' ' || sum(n_tup_upd) || ' ' || sum(n_tup_del) from pg_stat_sys_tables
  where relid in ('pg_class'::regclass, 'pg_attribute'::regclass, 'pg_namespace'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass,
    'pg_constraint'::regclass, 'pg_index'::regclass, 'pg_description'::regclass, 'pg_enum'::regclass)`;
