import type { Option } from '../options/option.ts';
import { formatQuantity, isQuantity } from '../options/quantities.ts';

/** Returns the values of options that cannot contain a secret: switches, numbers and choices. Durations and sizes have units. */
export function selectVisibleOptions(
  declared: readonly Option[],
  chosen: object,
): Readonly<Record<string, string | number | boolean>> {
  const shown = declared.filter(isVisible).flatMap(({ property, schema }) => {
    const value: unknown = Reflect.get(chosen, property);
    if (typeof value === 'number' && isQuantity(schema.format))
      return [[property, formatQuantity(value, schema.format)] as const];
    return isScalar(value) ? [[property, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

function isVisible({ schema: { type, enum: choices }, secret }: Option): boolean {
  return !secret && (type === 'boolean' || type === 'integer' || type === 'number' || choices !== undefined);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
