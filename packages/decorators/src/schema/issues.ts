import { shorten } from '../shorten.ts';

/** Something wrong with a value, and where: property names and positions from the root. */
export interface Issue {
  /** Empty for the value itself; names are cut after 200 characters. */
  readonly path: readonly (string | number)[];
  /** What is wrong, without the place: `expected a string, got 1`. */
  readonly message: string;
}

/** Stands for a value that has an issue. */
export const REFUSED: unique symbol = Symbol('refused');

/** More mistakes than this are counted, not named: one call can hold as many as its 10 MiB. */
const NAMED = 50;

/** Objects and arrays nest no deeper than this, so that nobody who walks through them runs out of stack. */
const DEEPEST = 64;

/** What is wrong with a value, collected on a walk through it. */
export class Issues {
  readonly #named: Issue[] = [];
  /** Kept up to date instead of handed on, so that only an issue costs a path. */
  readonly #path: (string | number)[] = [];
  #count = 0;

  /** All of them; those beyond {@link NAMED} are counted in a last one. */
  get list(): readonly Issue[] {
    const unnamed = this.#count - this.#named.length;
    return unnamed === 0 ? this.#named : [...this.#named, { path: [], message: `… and ${unnamed} more` }];
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the next one is named. */
  get areNamed(): boolean {
    return this.#count < NAMED;
  }

  enter(part: string | number): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Whether the walk has come too deep; that is an issue. */
  isTooDeep(): boolean {
    if (this.#path.length < DEEPEST) return false;
    this.add(`is nested more than ${DEEPEST} levels deep`);
    return true;
  }

  add(message: string): typeof REFUSED {
    if (this.areNamed) this.#named.push({ path: this.#path.map(shortened), message });
    this.#count += 1;
    return REFUSED;
  }

  addAt(part: string | number, message: string): typeof REFUSED {
    this.enter(part);
    this.add(message);
    this.leave();
    return REFUSED;
  }
}

function shortened<Part extends string | number>(part: Part): Part | string {
  return typeof part === 'string' ? shorten(part) : part;
}
