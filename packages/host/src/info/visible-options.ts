import type { Option } from '../options/option.ts';

/** Returns the values of options that cannot contain a secret: switches, numbers, choices, durations and sizes. */
export function selectVisibleOptions(
  declared: readonly Option[],
  chosen: object,
): Readonly<Record<string, string | number | boolean>> {
  const shown = declared.filter(isVisible).flatMap(({ property }) => {
    const value: unknown = Reflect.get(chosen, property);
    return isScalar(value) ? [[property, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

function isVisible({ schema: { type, enum: choices, format }, secret }: Option): boolean {
  if (secret) return false;
  return (
    type === 'boolean' ||
    type === 'integer' ||
    type === 'number' ||
    choices !== undefined ||
    format === 'duration' ||
    format === 'size'
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
