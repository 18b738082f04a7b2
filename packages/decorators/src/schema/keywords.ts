import { isJsonPrimitive, type JsonSchema, type JsonType } from './json-schema.ts';
import type { Shape } from './plan.ts';

/** Of two limits the one that allows less; other keywords that occur twice have to hold both. */
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

type Meant = (shape: Shape) => boolean;

const text: Meant = (shape) => mayBe(shape, ['string']);
const number: Meant = (shape) => mayBe(shape, ['number', 'integer']);

/** The shapes for which a keyword says something, and says what the rule does; for a keyword that is not here, all. */
const MEANT_FOR: Readonly<Record<string, Meant>> = {
  minLength: text,
  maxLength: text,
  pattern: text,
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  // The rule compares objects by identity, so that to it no two are the same.
  uniqueItems: (shape) => shape.kind === 'list' && isPrimitive(shape.items.shape),
  // The rule sees the instance of a class, whose initialisers are properties too.
  minProperties: (shape) => shape.kind === 'json' || shape.kind === 'map',
};

/** The keywords of several rules as one schema for a shape. */
export function keywordsFor(shape: Shape, parts: readonly JsonSchema[]): JsonSchema {
  const whole: JsonSchema = {};
  const others: JsonSchema[] = [];
  for (const [keyword, value] of parts.flatMap((part) => Object.entries(part))) {
    if (MEANT_FOR[keyword]?.(shape) === false) continue;
    const known: unknown = Reflect.get(whole, keyword);
    const tighter = TIGHTER[keyword];
    if (known === undefined || known === value) Object.assign(whole, { [keyword]: value });
    else if (typeof known === 'number' && typeof value === 'number' && tighter !== undefined)
      Object.assign(whole, { [keyword]: tighter(known, value) });
    else others.push({ [keyword]: value });
  }
  return others.length === 0 ? whole : { ...whole, allOf: others };
}

/** The values that keywords allow, if they list them. */
export function listedValues({ enum: values, const: value }: JsonSchema): readonly (string | number | boolean)[] | undefined {
  return values === undefined && value === undefined ? undefined : [...(values ?? []), value].filter(isJsonPrimitive);
}

/** Gives the values that keywords list titles: as forms want them, by `oneOf` for one value and by `anyOf` for a list's. */
export function titled(keywords: JsonSchema, titles: Readonly<Record<string, string>>, list: boolean): JsonSchema {
  const values = listedValues(keywords);
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

/** Whether values of a shape may be of one of some types. */
export function mayBe(shape: Shape, types: readonly JsonType[]): boolean {
  return shape.kind === 'json' && (shape.types?.some((type) => types.includes(type)) ?? true);
}
