import type { RequestContext } from '@org/mcp-decorators';

import type { ReadOnlyDatabase } from '../database/query/read-only-database.ts';
import type { CatalogNames } from '../../catalog/catalog-names.ts';
import { loadSnapshot } from './catalog-snapshot.ts';

/** Maximum age of a cached snapshot in ms, if the server has no statistics counters that reveal schema changes. */
const UNCOUNTED_MS = 30_000;

interface CachedSnapshot {
  readonly snapshot: CatalogNames;
  readonly version: string | undefined;
  readonly at: number;
}

/**
 * Cache of the names of schemas, relations, columns, functions and enums. Loads the names again after a schema change, or after
 * 30 s if the server has no statistics counters.
 */
export class CachedCatalog {
  readonly #database: ReadOnlyDatabase;
  #cached: CachedSnapshot | undefined;
  #loading: Promise<CatalogNames> | undefined;
  #changes = 0;

  constructor(database: ReadOnlyDatabase) {
    this.#database = database;
  }

  /**
   * Returns the names. A schema change usually appears within a second, or within 30 s without statistics counters. Concurrent
   * callers share one load, so no caller can cancel the load.
   *
   * @throws errors of `Database.readOnly`
   */
  async snapshot({ signal }: Pick<RequestContext, 'signal'>): Promise<CatalogNames> {
    const asked = (this.#loading ??= this.#loadCurrent());
    const snapshot = await asked.finally(() => {
      if (this.#loading === asked) this.#loading = undefined;
    });
    signal.throwIfAborted();
    return snapshot;
  }

  /** Discards the names after a change of the schema. The next call of `snapshot` loads the names again. */
  forget(): void {
    this.#cached = undefined;
    this.#loading = undefined;
    this.#changes += 1;
  }

  async #loadCurrent(): Promise<CatalogNames> {
    const { signal } = new AbortController();
    const changes = this.#changes;
    // The version is read before the names, so the next call notices a change between the two queries.
    const version = await readCatalogVersion(this.#database, signal);
    if (this.#cached !== undefined && isFresh(this.#cached, version)) return this.#cached.snapshot;
    const snapshot = await loadSnapshot(this.#database, signal);
    if (changes === this.#changes) this.#cached = { snapshot, version, at: performance.now() };
    return snapshot;
  }
}

function isFresh(held: CachedSnapshot, version: string | undefined): boolean {
  return version === undefined ? performance.now() - held.at < UNCOUNTED_MS : held.version === version;
}

/**
 * Returns a text that changes, usually within a second, after a commit that changes the schema. The text contains the
 * statistics counters of the system catalogs. Reading the counters needs no privileges, and writing rows of user tables does not
 * change the counters. Returns `undefined` if the server has no such counters.
 */
async function readCatalogVersion(database: ReadOnlyDatabase, signal: AbortSignal): Promise<string | undefined> {
  if (!(await database.capabilities()).counters) return undefined;
  const [[version] = []] = await database.rows(COUNTERS, [], { signal });
  return version ?? undefined;
}

const COUNTERS = `
  select sum(n_tup_ins) || ' ' || sum(n_tup_upd) || ' ' || sum(n_tup_del) from pg_stat_sys_tables
  where relid in ('pg_class'::regclass, 'pg_attribute'::regclass, 'pg_namespace'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass,
    'pg_constraint'::regclass, 'pg_index'::regclass, 'pg_description'::regclass, 'pg_enum'::regclass)`;
