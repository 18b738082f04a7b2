import { SEAL_LIFETIME_MS } from './spent-seals.ts';

/** Maximum number of bytes in {@link OwnedEntries}. */
export interface OwnedLimits {
  /** Maximum for one owner. */
  readonly perOwner: number;
  readonly total: number;
}

/** Estimate of the memory that an entry takes besides its text: the key, the objects and their place in the map. */
const ENTRY_BYTES = 300;

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly madeAt: number;
}

interface Owned {
  /** Entries by key, oldest first. */
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/**
 * A map for each owner, in bounded memory. Beyond the limit of an owner, the oldest entries of that owner are removed. Beyond the
 * total limit, expired entries are removed first, then the oldest entries of the owner with the most bytes. An entry that is larger
 * than the limit of an owner is not kept.
 */
export class OwnedEntries {
  readonly #limits: OwnedLimits;
  readonly #owners = new Map<string, Owned>();
  #bytes = 0;

  constructor(limits: OwnedLimits) {
    this.#limits = limits;
  }

  /** Returns the text of an entry, or `undefined` if the entry does not exist, has expired or was removed to make room. */
  get(owner: string, key: string): string | undefined {
    const entry = this.#owners.get(owner)?.entries.get(key);
    return entry === undefined || isExpired(entry) ? undefined : entry.text;
  }

  /** Adds or replaces an entry; either way, the entry becomes the newest one and lives for at most a day. */
  set(owner: string, key: string, text: string): void {
    this.delete(owner, key);
    const owned = this.#owners.get(owner) ?? { entries: new Map<string, Entry>(), bytes: 0 };
    this.#owners.set(owner, owned);
    const bytes = ENTRY_BYTES + 2 * text.length;
    owned.entries.set(key, { text, bytes, madeAt: Date.now() });
    owned.bytes += bytes;
    this.#bytes += bytes;
    this.#makeRoom(owner);
  }

  delete(owner: string, key: string): void {
    const owned = this.#owners.get(owner);
    const entry = owned?.entries.get(key);
    if (owned === undefined || entry === undefined) return;
    owned.entries.delete(key);
    owned.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
    if (owned.entries.size === 0) this.#owners.delete(owner);
  }

  #makeRoom(latest: string): void {
    const { perOwner, total } = this.#limits;
    this.#removeOldest(latest, (_, { bytes }) => bytes > perOwner);
    if (this.#bytes > total) for (const owner of this.#owners.keys()) this.#removeOldest(owner, isExpired);
    while (this.#bytes > total) {
      const owner = this.#findLargestOwner();
      const before = this.#bytes;
      this.#removeOldest(owner, () => this.#bytes === before);
    }
  }

  /** Removes entries of an owner, oldest first, as long as they meet the condition. */
  #removeOldest(owner: string, condition: (oldest: Entry, owned: Owned) => boolean): void {
    const owned = this.#owners.get(owner);
    if (owned === undefined) return;
    for (const [key, entry] of owned.entries) {
      if (!condition(entry, owned)) return;
      this.delete(owner, key);
    }
  }

  #findLargestOwner(): string {
    let largest = { owner: '', bytes: 0 };
    for (const [owner, { bytes }] of this.#owners) if (bytes > largest.bytes) largest = { owner, bytes };
    return largest.owner;
  }
}

function isExpired({ madeAt }: Entry): boolean {
  return madeAt < Date.now() - SEAL_LIFETIME_MS;
}
