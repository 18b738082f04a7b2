import { ValidateBy } from 'class-validator';

import { UsageError } from '../usage-error.ts';

/** A number with its unit, as people write it on a command line. */
export interface Quantity {
  /** What is said of one in messages, with examples: `a duration like 30s or 5m`. */
  readonly expected: string;
  /** What one of each unit is worth, by its name in lower case; the empty name is that of a number alone. */
  readonly units: Readonly<Record<string, number>>;
  /** The most that can be meant. */
  readonly most: string;
}

/** The least and the most that an option takes, written as its value is. */
export interface Range {
  /** Default: 1 of the smallest unit. */
  readonly least?: string;
  /** Default: the most that the quantity allows. */
  readonly most?: string;
}

const MAX_SHOWN = 40;

/** Nine digits are counted exactly, whatever the unit. */
const FORM = /^(\d{1,9})([a-z]*)$/i;

/** What a text is worth in the smallest unit. @throws UsageError for what is no such quantity, or too much of it */
export function parseQuantity(text: string, quantity: Quantity): number {
  const problem = problemOf(text, quantity, {});
  if (problem !== undefined) throw new UsageError(`${problem}, got ${JSON.stringify(text.slice(0, MAX_SHOWN))}`);
  return worthOf(text, quantity);
}

/** The rule of an option whose text is such a quantity within a range. */
export function isQuantity(name: string, quantity: Quantity, range: Range): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => typeof value === 'string' && problemOf(value, quantity, range) === undefined,
      defaultMessage: (given) => `${problemOf(String(given?.value), quantity, range) ?? ''}, got $value`,
    },
  });
}

function problemOf(text: string, quantity: Quantity, { least, most = quantity.most }: Range): string | undefined {
  const worth = worthOf(text, quantity);
  if (Number.isNaN(worth)) return `expected ${quantity.expected}`;
  const [from, to] = [least === undefined ? 1 : worthOf(least, quantity), worthOf(most, quantity)];
  if (worth >= from && worth <= to) return undefined;
  return least === undefined
    ? `expected more than nothing and at most ${most}`
    : `expected at least ${least} and at most ${most}`;
}

/** NaN for what is no such quantity. */
function worthOf(text: string, { units }: Quantity): number {
  const [, digits = '', unit = ''] = FORM.exec(text) ?? [];
  const name = unit.toLowerCase();
  return digits !== '' && Object.hasOwn(units, name) ? Number(digits) * (units[name] ?? Number.NaN) : Number.NaN;
}
