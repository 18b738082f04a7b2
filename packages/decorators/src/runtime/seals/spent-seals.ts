import { randomUUID } from 'node:crypto';

import { ToolError } from '../../results/tool-error.ts';

/** Identifies a single-use seal. */
export interface SingleUse {
  /** Unique among all seals. */
  readonly id: string;
  /** Creation time in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The `id` of the {@link SpentSeals} that remembers whether the seal was used. */
  readonly memory: string;
}

/** Remembers which single-use seals were used. Processes accept single-use seals of each other only if they share this memory. */
export interface SpentSeals {
  /** Identifies this memory, and changes when the memory is lost. Seals with the id of another memory are rejected. */
  readonly id: string;
  /**
   * Marks a seal as used. Returns `false` if the seal was or may have been used before. The caller rejects expired seals.
   *
   * @param owner the principal that the seal is bound to
   */
  spend(seal: SingleUse, owner: string): boolean | Promise<boolean>;
}

/** Lifetime of a seal: one day. */
export const SEAL_LIFETIME_MS = 86_400_000;

/**
 * Maximum number of entries. One entry takes about 150 bytes, so the entries of one principal take at most 1.5 MB and
 * all entries at most 15 MB.
 */
const LIMITS = { perOwner: 10_000, total: 100_000 };

interface SpentByOwner {
  /** Creation time of each used seal by its id, in order of use. */
  readonly seals: Map<string, number>;
  /** Creation time in milliseconds since the epoch: a seal that was created at or before this time counts as used. */
  forgottenUntil: number;
}

/**
 * Remembers used seals in the memory of this process. Beyond the limit of an owner, the oldest entry of that owner is removed.
 * Beyond the total limit, expired entries are removed first, then the oldest entry of the owner with the most entries. All seals of
 * an owner that are not newer than a removed entry count as used, so no seal is accepted twice.
 */
export class LocalSpentSeals implements SpentSeals {
  #id: string | undefined;
  readonly #limits: typeof LIMITS;
  readonly #owners = new Map<string, SpentByOwner>();
  #count = 0;

  constructor(limits: typeof LIMITS = LIMITS) {
    this.#limits = limits;
  }

  // Created on first use, because workerd rejects random values while modules load.
  get id(): string {
    return (this.#id ??= randomUUID());
  }

  spend({ id, madeAt }: SingleUse, owner: string): boolean {
    const spent = this.#owners.get(owner) ?? { seals: new Map<string, number>(), forgottenUntil: -Infinity };
    if (madeAt <= spent.forgottenUntil || spent.seals.has(id)) return false;
    this.#owners.set(owner, spent);
    spent.seals.set(id, madeAt);
    this.#count += 1;
    if (spent.seals.size > this.#limits.perOwner || this.#count > this.#limits.total) this.#makeRoom(spent);
    return true;
  }

  #makeRoom(latest: SpentByOwner): void {
    if (latest.seals.size > this.#limits.perOwner) this.#forgetOldest(latest);
    if (this.#count > this.#limits.total) this.#removeExpired();
    if (this.#count > this.#limits.total) this.#forgetOldest(this.#largest(latest));
  }

  #removeExpired(): void {
    const expired = Date.now() - SEAL_LIFETIME_MS;
    for (const [owner, { seals, forgottenUntil }] of this.#owners) {
      for (const [id, madeAt] of seals) if (madeAt < expired && seals.delete(id)) this.#count -= 1;
      if (seals.size === 0 && forgottenUntil < expired) this.#owners.delete(owner);
    }
  }

  #largest(first: SpentByOwner): SpentByOwner {
    return [...this.#owners.values()].reduce((largest, each) => (each.seals.size > largest.seals.size ? each : largest), first);
  }

  #forgetOldest(spent: SpentByOwner): void {
    for (const [id, madeAt] of spent.seals) {
      spent.seals.delete(id);
      this.#count -= 1;
      spent.forgottenUntil = Math.max(spent.forgottenUntil, madeAt);
      return;
    }
  }
}

/** Memory that all servers in this process share by default. */
export const PROCESS_SPENT_SEALS: SpentSeals = new LocalSpentSeals();

/** Text of the error for a rejected seal. */
export interface SealErrorText {
  /** Subject of the message, such as `the confirm_token`. */
  readonly subject: string;
  readonly hint: string;
}

/** Creates a single-use seal. */
export function createSingleUse(spent: SpentSeals): SingleUse {
  return { id: randomUUID(), madeAt: Date.now(), memory: spent.id };
}

/**
 * Marks a seal as used.
 *
 * @throws ToolError PRECONDITION_FAILED if the seal was used before, or was made by a process that does not share `spent`
 */
export async function spendOnce(
  spent: SpentSeals,
  seal: SingleUse & { readonly owner: string },
  { subject, hint }: SealErrorText,
): Promise<void> {
  if (seal.memory !== spent.id)
    throw new ToolError('PRECONDITION_FAILED', `${subject} was made by another process, and only that process accepts it`, {
      hint,
    });
  if (!(await spent.spend(seal, seal.owner)))
    throw new ToolError('PRECONDITION_FAILED', `${subject} was already used; nothing was done`, { hint });
}

/** Whether a value has the properties of a {@link SingleUse}. */
export function isSingleUse(value: object): value is SingleUse {
  return 'id' in value && 'madeAt' in value && 'memory' in value;
}
