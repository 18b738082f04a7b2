import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';

import { UsageError } from '../process/usage-error.ts';

/** A kind of quantity: a number with a unit. */
interface Quantity {
  /** Description for error messages, with examples: `a duration like 30s or 5m`. */
  readonly expected: string;
  /**
   * Size of each unit as a multiple of the smallest unit, by the unit's name in lower case; the empty name means a
   * number without a unit.
   */
  readonly units: Readonly<Record<string, number>>;
  /** Maximum value. */
  readonly most: string;
}

/** Minimum and maximum of an option, written like its value. */
interface Range {
  /** Minimum. Default: 1 in the smallest unit. */
  readonly least?: string;
  /** Maximum. Default: the maximum of the quantity. */
  readonly most?: string;
}

const DURATION: Quantity = {
  expected: 'a duration like 500ms, 30s, 5m or 2h',
  units: { ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
  // A timer of Node cannot run for more than 2 ** 31 - 1 ms, which is about 596.5 hours.
  most: '596h',
};

const SIZE: Quantity = {
  expected: 'a size like 4096, 64kb, 4mb or 1gb',
  units: { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 },
  most: '1024gb',
};

const MAX_SHOWN = 40;

/** Numbers of up to nine digits are exact in every unit. */
const FORM = /^(\d{1,9})([a-z]*)$/i;

/** Parses a duration such as `500ms`, `30s`, `5m` or `2h` into milliseconds. @throws UsageError for another text, zero, or more than 596 hours */
export function parseDuration(text: string): number {
  return parseQuantity(text, DURATION);
}

/** Validates that an option is a duration that {@link parseDuration} accepts. */
export function IsDuration(range: Range = {}): PropertyDecorator {
  return validateQuantity('isDuration', DURATION, range);
}

/** Parses a size such as `4096`, `64kb`, `4mb` or `1gb` into bytes; units are powers of 1024. @throws UsageError for another text, zero, or more than 1024 GiB */
export function parseSize(text: string): number {
  return parseQuantity(text, SIZE);
}

/** Validates that an option is a size that {@link parseSize} accepts. */
export function IsSize(range: Range = {}): PropertyDecorator {
  return validateQuantity('isSize', SIZE, range);
}

/** Parses a text into the smallest unit. @throws UsageError for another text, or a value that is out of range */
function parseQuantity(text: string, quantity: Quantity): number {
  const problem = findProblem(text, quantity, {});
  if (problem !== undefined) throw new UsageError(`${problem}, got ${JSON.stringify(text.slice(0, MAX_SHOWN))}`);
  return toSmallestUnit(text, quantity);
}

/** Creates the validator of an option whose text is a quantity within a range. */
function validateQuantity(name: string, quantity: Quantity, range: Range): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => typeof value === 'string' && findProblem(value, quantity, range) === undefined,
      defaultMessage: (given) => `${findProblem(String(given?.value), quantity, range) ?? ''}, got $value`,
    },
  });
}

function findProblem(text: string, quantity: Quantity, { least, most = quantity.most }: Range): string | undefined {
  const value = toSmallestUnit(text, quantity);
  if (Number.isNaN(value)) return `expected ${quantity.expected}`;
  const [from, to] = [least === undefined ? 1 : toSmallestUnit(least, quantity), toSmallestUnit(most, quantity)];
  if (value >= from && value <= to) return undefined;
  return least === undefined ? `expected more than 0 and at most ${most}` : `expected at least ${least} and at most ${most}`;
}

/** Converts a text such as `5m` into a number of the smallest unit. Returns NaN if the text is not a quantity of this kind. */
function toSmallestUnit(text: string, { units }: Quantity): number {
  const [, digits = '', unit = ''] = FORM.exec(text) ?? [];
  const name = unit.toLowerCase();
  return digits !== '' && Object.hasOwn(units, name) ? Number(digits) * (units[name] ?? Number.NaN) : Number.NaN;
}
