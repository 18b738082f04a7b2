import { isJsonPrimitive, type JsonSchema, type JsonType } from './json-schema.ts';
import type { Shape } from './plan.ts';

/** Functions that pick the stricter of two limits, by keyword. Different values of any other keyword must all hold (`allOf`). */
const TIGHTER: Readonly<Record<string, (one: number, other: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
};

type AppliesTo = (shape: Shape) => boolean;

const text: AppliesTo = (shape) => mayBe(shape, ['string']);
const number: AppliesTo = (shape) => mayBe(shape, ['number', 'integer']);

/** Shapes to which a keyword applies with the meaning of its rule. A keyword without an entry applies to all shapes. */
const APPLICABLE: Readonly<Record<string, AppliesTo>> = {
  minLength: text,
  maxLength: text,
  pattern: text,
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  // The keyword applies only to primitive items: the rule compares objects by identity, so it accepts equal objects.
  uniqueItems: (shape) => shape.kind === 'list' && isPrimitive(shape.items.shape),
  // The keyword does not apply to nested classes: the rule also counts properties with initial values, which a client may omit.
  minProperties: (shape) => shape.kind === 'json' || shape.kind === 'map',
};

/** Merges the keywords of several rules into one schema for a shape. */
export function mergeKeywords(shape: Shape, parts: readonly JsonSchema[]): JsonSchema {
  const whole: JsonSchema = {};
  const others: JsonSchema[] = [];
  for (const [keyword, value] of parts.flatMap((part) => Object.entries(part))) {
    if (APPLICABLE[keyword]?.(shape) === false) continue;
    const known: unknown = Reflect.get(whole, keyword);
    const tighter = TIGHTER[keyword];
    if (known === undefined || known === value) Object.assign(whole, { [keyword]: value });
    else if (typeof known === 'number' && typeof value === 'number' && tighter !== undefined)
      Object.assign(whole, { [keyword]: tighter(known, value) });
    else others.push({ [keyword]: value });
  }
  return others.length === 0 ? whole : { ...whole, allOf: others };
}

/** Returns the values that keywords list, or `undefined` if they list none. */
export function readListedValues({ enum: values, const: value }: JsonSchema): readonly (string | number | boolean)[] | undefined {
  return values === undefined && value === undefined ? undefined : [...(values ?? []), value].filter(isJsonPrimitive);
}

/** Adds titles to listed values in the form that elicitation expects: `oneOf` for a single value, `anyOf` for a list. */
export function addTitles(keywords: JsonSchema, titles: Readonly<Record<string, string>>, list: boolean): JsonSchema {
  const values = readListedValues(keywords);
  if (values === undefined) return keywords;
  const { enum: _, const: __, ...rest } = keywords;
  const given = new Map(Object.entries(titles));
  const alternatives = values.map((value) => ({ const: value, title: given.get(String(value)) ?? String(value) }));
  return { ...rest, [list ? 'anyOf' : 'oneOf']: alternatives };
}

/** Whether all values of a shape are strings, numbers or booleans. */
function isPrimitive(shape: Shape): boolean {
  return shape.kind === 'json' && shape.types?.every((type) => type !== 'array' && type !== 'object') === true;
}

/** Whether a value of a shape may have one of these types. */
export function mayBe(shape: Shape, types: readonly JsonType[]): boolean {
  return shape.kind === 'json' && (shape.types?.some((type) => types.includes(type)) ?? true);
}
