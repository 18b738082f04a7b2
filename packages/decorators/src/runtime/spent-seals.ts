import { randomUUID } from 'node:crypto';

import { ToolError } from '../errors.ts';

/** What identifies a seal that counts once. */
export interface SingleUse {
  /** Unique among all seals. */
  readonly id: string;
  /** When the seal was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** The `id` of the {@link SpentSeals} that remember whether the seal was used. */
  readonly memory: string;
}

/** Remembers which single-use seals were used. Processes that share a state key share one, or refuse each other's seals. */
export interface SpentSeals {
  /** Changes when the memory is lost: a seal that was made under another id is refused. */
  readonly id: string;
  /**
   * Marks a seal as used; `false` if the seal was used before, or may have been. The caller rejects seals that have expired.
   *
   * @param owner the principal that the seal is bound to
   */
  spend(seal: SingleUse, owner: string): boolean | Promise<boolean>;
}

/** A seal is accepted for at most this many milliseconds: a day. */
export const SEAL_LIFETIME_MS = 86_400_000;

/** At about 150 bytes each: 1.5 MB for one principal, 15 MB in all. */
const LIMITS = { ofOwner: 10_000, inAll: 100_000 };

interface Spent {
  /** When each seal was made, in the order of use. */
  readonly seals: Map<string, number>;
  /** Seals that were made until then may have been used. */
  forgottenUntil: number;
}

/**
 * Spent seals in the memory of this process. Beyond a limit the oldest entry of one owner is removed, and every seal of that owner
 * which is as old then counts as used: a seal never counts twice, and owners do not affect each other.
 */
export class LocalSpentSeals implements SpentSeals {
  readonly id: string = randomUUID();
  readonly #limits: typeof LIMITS;
  readonly #owners = new Map<string, Spent>();
  #count = 0;

  constructor(limits: typeof LIMITS = LIMITS) {
    this.#limits = limits;
  }

  spend({ id, madeAt }: SingleUse, owner: string): boolean {
    const spent = this.#owners.get(owner) ?? { seals: new Map<string, number>(), forgottenUntil: -Infinity };
    if (madeAt <= spent.forgottenUntil || spent.seals.has(id)) return false;
    this.#owners.set(owner, spent);
    spent.seals.set(id, madeAt);
    this.#count += 1;
    if (spent.seals.size > this.#limits.ofOwner || this.#count > this.#limits.inAll) this.#makeRoom(spent);
    return true;
  }

  #makeRoom(latest: Spent): void {
    if (latest.seals.size > this.#limits.ofOwner) this.#forgetOldest(latest);
    if (this.#count > this.#limits.inAll) this.#removeExpired();
    if (this.#count > this.#limits.inAll) this.#forgetOldest(this.#largest(latest));
  }

  #removeExpired(): void {
    const expired = Date.now() - SEAL_LIFETIME_MS;
    for (const [owner, { seals, forgottenUntil }] of this.#owners) {
      for (const [id, madeAt] of seals) if (madeAt < expired && seals.delete(id)) this.#count -= 1;
      if (seals.size === 0 && forgottenUntil < expired) this.#owners.delete(owner);
    }
  }

  #largest(first: Spent): Spent {
    return [...this.#owners.values()].reduce((largest, each) => (each.seals.size > largest.seals.size ? each : largest), first);
  }

  #forgetOldest(spent: Spent): void {
    for (const [id, madeAt] of spent.seals) {
      spent.seals.delete(id);
      this.#count -= 1;
      spent.forgottenUntil = Math.max(spent.forgottenUntil, madeAt);
      return;
    }
  }
}

/** Shared by all servers in this process that have no other. */
export const PROCESS_SPENT_SEALS: SpentSeals = new LocalSpentSeals();

/** How a refusal of a used seal is phrased. */
export interface Wording {
  /** Such as `the confirm_token`. */
  readonly subject: string;
  readonly hint: string;
}

/** A new single-use seal. */
export function singleUse(spent: SpentSeals): SingleUse {
  return { id: randomUUID(), madeAt: Date.now(), memory: spent.id };
}

/** Uses a seal up. @throws ToolError PRECONDITION_FAILED if the seal was used before, or only another process can tell */
export async function spendOnce(
  spent: SpentSeals,
  seal: SingleUse & { readonly owner: string },
  { subject, hint }: Wording,
): Promise<void> {
  if (seal.memory !== spent.id)
    throw new ToolError('PRECONDITION_FAILED', `${subject} was made by another process, and only that one accepts it`, { hint });
  if (!(await spent.spend(seal, seal.owner)))
    throw new ToolError('PRECONDITION_FAILED', `${subject} was used already; nothing was done`, { hint });
}

/** Whether a value has the properties of a {@link SingleUse}. */
export function isSingleUse(value: object): value is SingleUse {
  return 'id' in value && 'madeAt' in value && 'memory' in value;
}
