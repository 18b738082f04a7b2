import { DefinitionError } from '../errors.ts';

/** Everything that is wrong with a server, as far as it is looked for. */
export class Problems {
  readonly #found = new Set<string>();
  readonly #isThorough: boolean;

  /** A server that was found right when it was built needs no thorough look at each start. */
  constructor({ isThorough }: { readonly isThorough: boolean }) {
    this.#isThorough = isThorough;
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  push(...problems: readonly string[]): void {
    for (const problem of problems) this.#found.add(problem);
  }

  /** Adds what is found by making the plans of input and output classes, which is most of what compiling a server costs. */
  inspect(find: () => readonly string[]): void {
    if (this.#isThorough) this.push(...find());
  }

  /** @throws DefinitionError if there are some */
  assertNone(): void {
    if (!this.isEmpty) throw new DefinitionError([...this.#found]);
  }
}
