import type { ValidationArguments } from 'class-validator';

import { isPlainObject } from './json-schema.ts';
import { enumValues } from './rules.ts';

/** The validator behind a rule. */
export interface Constraint {
  validate(value: unknown, given: ValidationArguments): unknown;
  defaultMessage?(given: ValidationArguments): string;
}

type Verdict = (value: unknown, constraint: Constraint, given: ValidationArguments) => unknown;

const unlessItThrows: Verdict = (value, constraint, given) => {
  try {
    return constraint.validate(value, given);
  } catch {
    return false;
  }
};

/** class-validator's validators that throw for what a client may send, take minutes for it, or accept what their keyword cannot say. */
const GUARDS: Readonly<Record<string, Verdict>> = {
  // Half of a surrogate pair.
  isByteLength: unlessItThrows,
  isEmail: unlessItThrows,
  // 1e-7, of which the decimal places are counted.
  isNumber: unlessItThrows,
  // An object with a property `hasOwnProperty`, which is called.
  isNotEmptyObject: (value, constraint, given) => isPlainObject(value) && constraint.validate(renamed(value), given),
  // A million elements, of which each is looked for among all of them.
  arrayUnique: (value, constraint, given) => constraint.validate(Array.isArray(value) ? Indexed.from(value) : value, given),
  // The names of a numeric enum.
  isEnum: (value, constraint, given) =>
    constraint.validate(value, given) === true && enumValues(given.constraints[0]).includes(value),
  // Numbers so large that not every integer has one: whether they are divisible depends on how that is computed.
  isDivisibleBy: (value, constraint, given) =>
    constraint.validate(value, given) === true && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER,
  // A character with a variation selector counts as one, in JSON Schema as two.
  maxLength: (value, constraint, given) =>
    constraint.validate(value, given) === true && isWithin(String(value), given.constraints[0]),
  isLength: (value, constraint, given) =>
    constraint.validate(value, given) === true && isWithin(String(value), given.constraints[1]),
};

/** A validator that answers for every JSON value, and accepts none that its keyword would refuse. */
export function guarded(name: string, constraint: Constraint): Constraint {
  const verdict = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (verdict === undefined) return constraint;
  return {
    validate: (value, given) => verdict(value, constraint, given),
    ...(constraint.defaultMessage && { defaultMessage: (given) => constraint.defaultMessage?.(given) ?? '' }),
  };
}

function renamed(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
}

/** An array that knows where its elements are, as do those that `map` makes of it. */
class Indexed extends Array<unknown> {
  #positions: ReadonlyMap<unknown, number> | undefined;

  override indexOf(item: unknown): number {
    // From the end, so that the first of equal elements stays.
    this.#positions ??= new Map(Array.from(this.entries(), ([position, each]) => [each, position] as const).toReversed());
    return this.#positions.get(item) ?? -1;
  }
}

/** Whether a text has no more characters, as JSON Schema counts them; in JavaScript each has one or two units. */
function isWithin(text: string, most: unknown): boolean {
  if (typeof most !== 'number' || text.length <= most) return true;
  return text.length <= 2 * most && Array.from(text).length <= most;
}
