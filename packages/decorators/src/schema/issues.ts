import { shorten } from '../text/shorten.ts';

/** A mistake in a value, with its path: property names and positions from the root. */
export interface Issue {
  /** Property names and positions from the root; empty for the root itself. Names are cut after 200 characters. */
  readonly path: readonly (string | number)[];
  /** The mistake without its path: `expected a string, got 1`. */
  readonly message: string;
}

/** Result for a value with issues. */
export const REFUSED: unique symbol = Symbol('refused');

/** Maximum number of listed issues; the others are counted. A call of 10 MiB can contain very many. */
const MAX_NAMED = 50;

/** Maximum nesting of objects and arrays, so that recursive code cannot overflow the stack. */
const MAX_DEPTH = 64;

/** Issues found while walking through a value. */
export class Issues {
  readonly #named: Issue[] = [];
  /** Path of the current value. The walk changes this array, so that a path is copied only for an issue. */
  readonly #path: (string | number)[] = [];
  #count = 0;

  /** The first 50 issues. If more issues were found, a last entry contains the number of the others. */
  get list(): readonly Issue[] {
    const unnamed = this.#count - this.#named.length;
    return unnamed === 0 ? this.#named : [...this.#named, { path: [], message: `… and ${unnamed} more` }];
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the next issue will be listed rather than counted. */
  get isNextNamed(): boolean {
    return this.#count < MAX_NAMED;
  }

  enter(part: string | number): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Whether the walk exceeds the maximum depth; adds an issue if so. */
  isTooDeep(): boolean {
    if (this.#path.length < MAX_DEPTH) return false;
    this.add(`is nested more than ${MAX_DEPTH} levels deep`);
    return true;
  }

  add(message: string): typeof REFUSED {
    if (this.isNextNamed) this.#named.push({ path: this.#path.map(shortenPart), message });
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

function shortenPart<Part extends string | number>(part: Part): Part | string {
  return typeof part === 'string' ? shorten(part) : part;
}

/** Formats each issue as one line with its path. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('\n');
}

/** Name that no object may contain, because assigning to this property replaces the prototype of the object. */
const HOSTILE = '__proto__';

/** Returns the value, or `REFUSED` if the value contains a hostile name or is nested too deeply. */
export function checkFreeForm(value: unknown, issues: Issues): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (issues.isTooDeep()) return REFUSED;
  const before = issues.count;
  for (const [name, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (refuseHostileName(name, issues)) continue;
    issues.enter(name);
    checkFreeForm(part, issues);
    issues.leave();
  }
  return issues.count === before ? value : REFUSED;
}

/** Whether a name is not allowed in objects; adds an issue if so. */
export function refuseHostileName(name: string | number, issues: Issues): boolean {
  if (name !== HOSTILE) return false;
  issues.addAt(name, 'is not allowed as a name');
  return true;
}
