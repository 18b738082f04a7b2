import type { BigIntStats } from 'node:fs';

/** Friend constructor for this package only. */
export let createVerifiedPath: (real: string, shown: string, facts: BigIntStats) => VerifiedPath;

/**
 * A path that was checked against the roots, for child processes and watchers, which accept only paths.
 *
 * Only `Roots` can create one, so no operation can be given an unchecked string.
 */
export class VerifiedPath {
  // The field is private, so that an object literal of the same shape is not assignable.
  readonly #real: string;
  /** The path as clients see it: it starts with the root as the operator or the client wrote that root. */
  readonly shown: string;
  /** Stats at the time of the check. */
  readonly facts: BigIntStats;

  private constructor(real: string, shown: string, facts: BigIntStats) {
    this.#real = real;
    this.shown = shown;
    this.facts = facts;
  }

  /** The real path at the time of the check; it must not be shown to a client. */
  get real(): string {
    return this.#real;
  }

  static {
    createVerifiedPath = (real, shown, facts) => new VerifiedPath(real, shown, facts);
  }
}
