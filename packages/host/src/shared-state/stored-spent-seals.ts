import { createHash, randomUUID } from 'node:crypto';

import { SEAL_LIFETIME_MS, type SingleUse, type SpentSeals } from '@org/mcp-decorators';

import type { SessionStore } from './session-store.ts';

/** Key of the id of the store's contents. If the store is emptied, this id is lost together with the marks. */
const ID_KEY = 'seals';
/** Lifetime of the id in milliseconds, ten years: it must outlive every mark. */
const ID_LIFETIME_MS = 315_360_000_000;

/** Remembers which single-use seals were used in a store, so that all its processes accept the seals of each other, each seal once. */
export class StoredSpentSeals implements SpentSeals {
  readonly #store: SessionStore;
  #id: string;

  private constructor(store: SessionStore, id: string) {
    this.#store = store;
    this.#id = id;
  }

  /** Opens the memory of used seals in a store. Rejects if the store is not usable. */
  static async open(store: SessionStore): Promise<StoredSpentSeals> {
    return new StoredSpentSeals(store, await readId(store));
  }

  get id(): string {
    return this.#id;
  }

  async spend({ id, memory }: SingleUse): Promise<boolean> {
    const key = createHash('sha256').update(`seal ${id}`).digest('base64url');
    if (!(await this.#store.replace(key, { previous: undefined, next: 'used', lifetimeMs: SEAL_LIFETIME_MS }))) return false;
    // If the store was emptied, the id has changed, and a mark of an earlier use may be lost. The seal is then rejected.
    if (await this.#store.replace(ID_KEY, { previous: memory, next: memory, lifetimeMs: ID_LIFETIME_MS })) return true;
    this.#id = await readId(this.#store);
    return false;
  }
}

/** Returns the id of the memory, which the first process creates. */
async function readId(store: SessionStore): Promise<string> {
  const id = randomUUID();
  if (await store.replace(ID_KEY, { previous: undefined, next: id, lifetimeMs: ID_LIFETIME_MS })) return id;
  return (await store.read(ID_KEY)) ?? id;
}
