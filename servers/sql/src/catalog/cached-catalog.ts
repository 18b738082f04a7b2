import type { RequestContext } from '@org/mcp-decorators';

import type { Database } from '../database/database.ts';
import { loadSnapshot, type CatalogSnapshot } from './catalog-snapshot.ts';
import { catalogVersion } from './catalog-version.ts';

/** Where no counters tell of changes, names may be as old as this. */
const UNCOUNTED_MS = 30_000;

interface Held {
  readonly snapshot: CatalogSnapshot;
  readonly version: string | undefined;
  readonly at: number;
}

/** The names that a database holds, loaded when they are first asked for and again when the schema has changed. */
export class CachedCatalog {
  #held: Held | undefined;
  #asked: Promise<CatalogSnapshot> | undefined;
  #changes = 0;

  /**
   * The names as they are now; those who ask at once share the answer, so none of them can cancel it.
   *
   * @throws ToolError those of `Database.readOnly`
   */
  async of(database: Database, { signal }: Pick<RequestContext, 'signal'>): Promise<CatalogSnapshot> {
    const asked = (this.#asked ??= this.#current(database));
    const snapshot = await asked.finally(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    signal.throwIfAborted();
    return snapshot;
  }

  /** The schema has changed: the names are loaded again when they are next asked for. */
  forget(): void {
    this.#held = undefined;
    this.#asked = undefined;
    this.#changes += 1;
  }

  async #current(database: Database): Promise<CatalogSnapshot> {
    const { signal } = new AbortController();
    const changes = this.#changes;
    // Before the names: a change in between is then noticed the next time.
    const version = await catalogVersion(database, signal);
    if (this.#held !== undefined && isFresh(this.#held, version)) return this.#held.snapshot;
    const snapshot = await loadSnapshot(database, signal);
    if (changes === this.#changes) this.#held = { snapshot, version, at: performance.now() };
    return snapshot;
  }
}

function isFresh(held: Held, version: string | undefined): boolean {
  return version === undefined ? performance.now() - held.at < UNCOUNTED_MS : held.version === version;
}
