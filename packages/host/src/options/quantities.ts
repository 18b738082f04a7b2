import { Integer, type IntegerFieldOptions, type TypedField } from '@org/mcp-decorators';

/** A kind of quantity: a number with a unit. */
interface Quantity {
  /** Description for error messages, with examples. */
  readonly expected: string;
  /** Factor of each unit by its name in lower case, from the smallest to the largest; the empty name means a number without a unit. */
  readonly units: Readonly<Record<string, number>>;
  /** Maximum value, in the smallest unit. */
  readonly max: number;
}

/** Name of a kind of quantity: the `format` of an option whose value is a number with a unit. */
export type QuantityFormat = 'duration' | 'size';

const QUANTITIES: Readonly<Record<QuantityFormat, Quantity>> = {
  duration: {
    expected: 'a duration like 500ms, 30s, 5m, 2h or 7d',
    units: { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 },
    // A timer of Node.js cannot run for more than 2 ** 31 - 1 ms, which is about 24.8 days.
    max: 24 * 86_400_000,
  },
  size: {
    expected: 'a size like 4096, 64kb, 4mb or 1gb',
    units: { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 },
    max: 1024 ** 4,
  },
};

/** Options for `@Duration` and `@Size`; `min` and `max` are in ms or bytes. Defaults: 1 ms to 24 days, or 1 byte to 1024 GiB. */
export type QuantityFieldOptions = Pick<IntegerFieldOptions, 'optional' | 'min' | 'max' | 'title'>;

/** Numbers of up to nine digits are exact in every unit. */
const FORM = /^(\d{1,9})([a-z]*)$/i;

const MAX_SHOWN = 40;

/**
 * Declares an option that is a time: `@Duration('Idle time', { min: 1000 }) idle = 60_000;`. The property is a number of
 * milliseconds. The command line, the environment and the config file contain a text such as `500ms`, `30s`, `5m`, `2h` or `7d`.
 */
export function Duration<const Options extends QuantityFieldOptions = object>(
  description: string,
  options?: Options,
): TypedField<number, Options, QuantityFieldOptions> {
  return declareQuantity('duration', 'TIME', description, options);
}

/**
 * Declares an option that is a size: `@Size('Maximum size of a file', { max: 1024 ** 2 }) maxFile = 65_536;`. The property is a
 * number of bytes. The command line, the environment and the config file contain a text such as `4096`, `64kb`, `4mb` or `1gb`.
 */
export function Size<const Options extends QuantityFieldOptions = object>(
  description: string,
  options?: Options,
): TypedField<number, Options, QuantityFieldOptions> {
  return declareQuantity('size', 'SIZE', description, options);
}

function declareQuantity(
  format: QuantityFormat,
  title: string,
  description: string,
  options: QuantityFieldOptions | undefined,
): (prototype: object, property: string) => void {
  const decorate: (prototype: object, property: string) => void = Integer(description, { title, ...options, format });
  return decorate;
}

/** Whether the values of an option with this `format` are quantities. */
export function isQuantity(format: string | undefined): format is QuantityFormat {
  return format !== undefined && Object.hasOwn(QUANTITIES, format);
}

/** Range of an option, in its smallest unit. */
interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Parses a text such as `5m` or `64kb` into ms or bytes. Returns a sentence about the mistake if the text is invalid or out of range. */
export function parseQuantity(text: string, format: QuantityFormat, range: Range): number | string {
  const { minimum = 1, maximum = QUANTITIES[format].max } = range;
  const value = toSmallestUnit(text, format);
  const given = JSON.stringify(text.slice(0, MAX_SHOWN));
  if (value === undefined) return `expected ${QUANTITIES[format].expected}, got ${given}`;
  if (value >= minimum && value <= maximum) return value;
  return `expected at least ${formatQuantity(minimum, format)} and at most ${formatQuantity(maximum, format)}, got ${given}`;
}

function toSmallestUnit(text: string, format: QuantityFormat): number | undefined {
  const [, digits, unit = ''] = FORM.exec(text) ?? [];
  const factor = new Map(Object.entries(QUANTITIES[format].units)).get(unit.toLowerCase());
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** Formats ms or bytes in the largest unit that divides the value, such as `30s` or `64kb`. */
export function formatQuantity(value: number, format: QuantityFormat): string {
  const [unit, factor] = Object.entries(QUANTITIES[format].units).findLast(([, size]) => value >= size && value % size === 0) ?? [
    '',
    1,
  ];
  return `${value / factor}${unit}`;
}
