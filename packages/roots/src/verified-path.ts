/** Makes a verified path; for this package only. */
export let verify: (real: string, shown: string, exists: boolean) => VerifiedPath;

/**
 * A path that was checked against the roots: the only kind of path an operation takes.
 *
 * It can be made by `Roots` alone, so an operation cannot be written against an unchecked string.
 */
export class VerifiedPath {
  // Private, so that no object literal of the same shape is taken for one.
  readonly #real: string;
  /** The path under the root as the operator wrote that root; what clients see. */
  readonly shown: string;
  /** Whether something was there when it was checked. */
  readonly exists: boolean;

  private constructor(real: string, shown: string, exists: boolean) {
    this.#real = real;
    this.shown = shown;
    this.exists = exists;
  }

  /** The real path, for calls to `node:fs` only; it is never shown to a client. */
  get real(): string {
    return this.#real;
  }

  static {
    verify = (real, shown, exists) => new VerifiedPath(real, shown, exists);
  }
}
