import type { BigIntStats } from 'node:fs';

/** Makes a verified path; for this package only. */
export let verify: (real: string, shown: string, facts: BigIntStats) => VerifiedPath;

/**
 * A path that was checked against the roots, for other programs and watchers, which take nothing else.
 *
 * It can be made by `Roots` alone, so an operation cannot be written against an unchecked string.
 */
export class VerifiedPath {
  // Private, so that no object literal of the same shape is taken for one.
  readonly #real: string;
  /** The path under the root as the operator wrote that root; what clients see. */
  readonly shown: string;
  /** What was there when it was checked. */
  readonly facts: BigIntStats;

  private constructor(real: string, shown: string, facts: BigIntStats) {
    this.#real = real;
    this.shown = shown;
    this.facts = facts;
  }

  /** The real path as it was then; it is never shown to a client. */
  get real(): string {
    return this.#real;
  }

  static {
    verify = (real, shown, facts) => new VerifiedPath(real, shown, facts);
  }
}
