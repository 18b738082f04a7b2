import { hasType, isJsonPrimitive, type JsonSchema, type JsonType } from './json-schema.ts';
import { patternOf, portablePattern } from './pattern.ts';

/** What a rule says in JSON Schema: the type that it demands, if it is one, and keywords, each part of which must hold. */
export interface RuleSchema {
  readonly types?: readonly JsonType[];
  readonly keywords?: readonly JsonSchema[];
}

type Constraints = readonly unknown[];

const STRING = { types: ['string'] } as const;
const NUMBER = { types: ['number'] } as const;
const ARRAY = { types: ['array'] } as const;

/**
 * What each class-validator rule says in JSON Schema, by the rule's name.
 *
 * A rule that is not here is enforced without a keyword: an advertised schema is never stricter than the validator.
 */
export const RULES: Readonly<Record<string, (constraints: Constraints) => RuleSchema>> = {
  isString: () => STRING,
  isBoolean: () => ({ types: ['boolean'] }),
  isInt: () => ({ types: ['integer'] }),
  isNumber: () => NUMBER,
  isArray: () => ARRAY,
  isObject: () => ({ types: ['object'] }),

  isIn: ([values]) => oneOf(values),
  isEnum: ([values]) => oneOf(enumValues(values)),
  equals: ([value]) => (isJsonPrimitive(value) ? { types: typesOf([value]), keywords: [{ const: value }] } : {}),
  notEquals: ([value]) => (isJsonPrimitive(value) ? { keywords: [{ not: { const: value } }] } : {}),
  isNotIn: ([values]) => noneOf(values),
  isNotEmpty: () => ({ keywords: [{ minLength: 1 }] }),

  min: ([minimum]) => ({ ...NUMBER, keywords: Number.isFinite(minimum) ? [{ minimum: Number(minimum) }] : [] }),
  max: ([maximum]) => ({ ...NUMBER, keywords: Number.isFinite(maximum) ? [{ maximum: Number(maximum) }] : [] }),
  isPositive: () => ({ ...NUMBER, keywords: [{ exclusiveMinimum: 0 }] }),
  isNegative: () => ({ ...NUMBER, keywords: [{ exclusiveMaximum: 0 }] }),
  isDivisibleBy: ([divisor]) => ({ ...NUMBER, keywords: multipleOf(divisor) }),
  // They take texts too, to which these keywords do not apply; so they demand no type.
  isLatitude: () => ({ keywords: [{ minimum: -90, maximum: 90 }] }),
  isLongitude: () => ({ keywords: [{ minimum: -180, maximum: 180 }] }),

  minLength: ([least]) => ({ ...STRING, keywords: count('minLength', least) }),
  maxLength: ([most]) => ({ ...STRING, keywords: count('maxLength', most) }),
  isLength: ([least, most]) => ({ ...STRING, keywords: [...count('minLength', least), ...count('maxLength', most)] }),
  matches: ([pattern, flags]) => ({ ...STRING, keywords: matching(portablePattern(pattern, flags)) }),
  contains: ([text]) => ({ ...STRING, keywords: containing(text) }),
  isUuid: () => ({ ...STRING, keywords: [{ format: 'uuid' }] }),
  // Of the sixth version, `fe80::1%eth0` is one to the validator and none to the format.
  isIp: ([version]) => ({ ...STRING, keywords: String(version) === '4' ? [{ format: 'ipv4' }] : [] }),

  arrayMinSize: ([least]) => ({ ...ARRAY, keywords: count('minItems', least) }),
  arrayMaxSize: ([most]) => ({ ...ARRAY, keywords: count('maxItems', most) }),
  arrayNotEmpty: () => ({ ...ARRAY, keywords: [{ minItems: 1 }] }),
  arrayUnique: () => ({ ...ARRAY, keywords: [{ uniqueItems: true }] }),
  arrayContains: ([values]) => ({ ...ARRAY, keywords: primitives(values).map((value) => ({ contains: { const: value } })) }),
  isNotEmptyObject: () => ({ types: ['object'], keywords: [{ minProperties: 1 }] }),
};

/** The values of an enum; of a numeric one, not the names that TypeScript maps back from them. */
export function enumValues(entity: unknown): readonly unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const values = new Map<string, unknown>(Object.entries(entity));
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && typeof values.get(value) === 'number' && String(values.get(value)) === key;
  return [...values].filter(([key, value]) => !isName(key, value)).map(([, value]) => value);
}

function oneOf(values: unknown): RuleSchema {
  const allowed = primitives(values);
  // Whatever else is listed, JSON cannot carry it, or it is equal to nothing that JSON carries; `null` counts as absent.
  return allowed.length === 0 ? {} : { types: typesOf(allowed), keywords: [{ enum: allowed }] };
}

function noneOf(values: unknown): RuleSchema {
  const refused = primitives(values);
  return refused.length === 0 ? {} : { keywords: [{ not: { enum: refused } }] };
}

function primitives(values: unknown): (string | number | boolean)[] {
  return Array.isArray(values) ? [...new Set(values.filter(isJsonPrimitive))] : [];
}

function typesOf(values: readonly unknown[]): readonly JsonType[] {
  const number = values.every((value) => typeof value !== 'number' || Number.isInteger(value)) ? 'integer' : 'number';
  return (['string', number, 'boolean'] as const).filter((type) => values.some((value) => hasType(value, type)));
}

/** The validator drops the divisor's fraction; that of a negative one has no keyword, but means the same. */
function multipleOf(divisor: unknown): readonly JsonSchema[] {
  const whole = Math.abs(Number.parseInt(String(divisor), 10));
  return whole > 0 ? [{ multipleOf: whole }] : [];
}

function count(keyword: 'minLength' | 'maxLength' | 'minItems' | 'maxItems', value: unknown): readonly JsonSchema[] {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? [{ [keyword]: Number(value) }] : [];
}

function matching(pattern: string | undefined): readonly JsonSchema[] {
  return pattern === undefined ? [] : [{ pattern }];
}

// Half of a surrogate pair is contained in every whole one, but not to a pattern, which is read by code points.
function containing(text: unknown): readonly JsonSchema[] {
  return typeof text === 'string' && !/\p{Surrogate}/u.test(text) ? [{ pattern: patternOf(text) }] : [];
}
