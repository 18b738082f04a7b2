import { DefinitionError } from '../metadata/definition-error.ts';

/** Collects the mistakes in the annotations of a server. */
export class Problems {
  readonly #found = new Set<string>();
  readonly #isThorough: boolean;

  /**
   * With `isThorough: false`, {@link Problems.inspect} does nothing: a bundled program skips the expensive checks at its start,
   * because the build has already made them.
   */
  constructor({ isThorough }: { readonly isThorough: boolean }) {
    this.#isThorough = isThorough;
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  push(...problems: readonly string[]): void {
    for (const problem of problems) this.#found.add(problem);
  }

  /** Adds the problems of input and output classes. Compiling these classes is most of the cost of compiling a server. */
  inspect(find: () => readonly string[]): void {
    if (this.#isThorough) this.push(...find());
  }

  /** @throws DefinitionError if there are problems */
  assertNone(): void {
    if (!this.isEmpty) throw new DefinitionError([...this.#found]);
  }
}
