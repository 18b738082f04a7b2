import { isDeepStrictEqual } from 'node:util';

/** A JSON Schema, read as plain JSON: raw ones may have any keyword. */
export type Schema = Readonly<Record<string, unknown>>;

/** Whether every value that fits one schema fits a keyword of the other. */
type Fits = (from: Schema, to: Schema) => boolean;

const ANNOTATION = /^(\$.+|x-.+|title|description|default|examples|deprecated|readOnly|writeOnly|enumNames|definitions)$/;
const STRUCTURE = /^(properties|required|additionalProperties|items|oneOf|anyOf)$/;

const KEYWORDS: Readonly<Record<string, Fits>> = {
  type: (from, to) => typesOf(from)?.every((type) => allows(typesOf(to) ?? [], type)) === true,
  enum: (from, to) => isSubset(from['enum'], to['enum']),
  minimum: ({ minimum, exclusiveMinimum }, to) => isAtLeast(minimum, to['minimum']) || isAtLeast(exclusiveMinimum, to['minimum']),
  exclusiveMinimum: ({ minimum, exclusiveMinimum }, to) =>
    isAtLeast(exclusiveMinimum, to['exclusiveMinimum']) || isAbove(minimum, to['exclusiveMinimum']),
  maximum: ({ maximum, exclusiveMaximum }, to) => isAtLeast(to['maximum'], maximum) || isAtLeast(to['maximum'], exclusiveMaximum),
  exclusiveMaximum: ({ maximum, exclusiveMaximum }, to) =>
    isAtLeast(to['exclusiveMaximum'], exclusiveMaximum) || isAbove(to['exclusiveMaximum'], maximum),
  multipleOf: (from, to) => Number.isInteger(Number(from['multipleOf']) / Number(to['multipleOf'])),
  minLength: atLeast('minLength'),
  maxLength: atMost('maxLength'),
  minItems: atLeast('minItems'),
  maxItems: atMost('maxItems'),
  minProperties: atLeast('minProperties'),
  maxProperties: atMost('maxProperties'),
  uniqueItems: (from, to) => to['uniqueItems'] !== true || from['uniqueItems'] === true,
};

/** The keywords of one schema that something which fits the other may not fit; structure apart. */
export function misfits(from: Schema, to: Schema): readonly string[] {
  return Object.keys(to).filter((keyword) => {
    if (ANNOTATION.test(keyword) || STRUCTURE.test(keyword)) return false;
    const fits = KEYWORDS[keyword];
    return fits === undefined ? !isDeepStrictEqual(from[keyword], to[keyword]) : !fits(from, to);
  });
}

function typesOf({ type, enum: values }: Schema): readonly unknown[] | undefined {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  return Array.isArray(values) ? values.map(typeOf) : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function allows(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function isSubset(from: unknown, to: unknown): boolean {
  if (!Array.isArray(from) || !Array.isArray(to)) return false;
  return from.every((value) => to.some((other) => isDeepStrictEqual(value, other)));
}

function atLeast(keyword: string): Fits {
  return (from, to) => isAtLeast(from[keyword] ?? 0, to[keyword]);
}

function atMost(keyword: string): Fits {
  return (from, to) => isAtLeast(to[keyword], from[keyword]);
}

function isAtLeast(value: unknown, limit: unknown): boolean {
  return typeof value === 'number' && typeof limit === 'number' && value >= limit;
}

function isAbove(value: unknown, limit: unknown): boolean {
  return isAtLeast(value, limit) && value !== limit;
}
