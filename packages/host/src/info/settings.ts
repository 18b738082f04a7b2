import type { Option } from '../options/option.ts';

/** The options in force that cannot hold a secret: switches, numbers, choices, durations and sizes. */
export function settingsOf(declared: readonly Option[], chosen: object): Readonly<Record<string, string | number | boolean>> {
  const shown = declared.filter(isHarmless).flatMap(({ property }) => {
    const value: unknown = Reflect.get(chosen, property);
    return isScalar(value) ? [[property, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

function isHarmless({ schema: { type, enum: choices, format }, secret }: Option): boolean {
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
