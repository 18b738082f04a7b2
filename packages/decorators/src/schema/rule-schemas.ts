import { hasType, isJsonPrimitive, type JsonSchema, type JsonType } from './json-schema.ts';

/** JSON Schema of a rule: the types that it requires, if any, and keywords that must all hold. */
export interface RuleSchema {
  readonly types?: readonly JsonType[];
  readonly keywords?: readonly JsonSchema[];
}

type Constraints = readonly unknown[];

const STRING = { types: ['string'] } as const;
const NUMBER = { types: ['number'] } as const;
const ARRAY = { types: ['array'] } as const;

/**
 * JSON Schema of each class-validator rule, by the rule's name.
 *
 * A rule without an entry is enforced without a keyword: the advertised schema is never stricter than the validator.
 */
export const RULE_SCHEMAS: Readonly<Record<string, (constraints: Constraints) => RuleSchema>> = {
  isString: () => STRING,
  isBoolean: () => ({ types: ['boolean'] }),
  isInt: () => ({ types: ['integer'] }),
  isNumber: () => NUMBER,
  isArray: () => ARRAY,
  isObject: () => ({ types: ['object'] }),

  isIn: ([values]) => allowValues(values),
  isEnum: ([values]) => allowValues(enumValues(values)),
  equals: ([value]) => (isJsonPrimitive(value) ? { types: findTypes([value]), keywords: [{ const: value }] } : {}),
  notEquals: ([value]) => (isJsonPrimitive(value) ? { keywords: [{ not: { const: value } }] } : {}),
  isNotIn: ([values]) => refuseValues(values),
  isNotEmpty: () => ({ keywords: [{ minLength: 1 }] }),

  min: ([minimum]) => ({ ...NUMBER, keywords: Number.isFinite(minimum) ? [{ minimum: Number(minimum) }] : [] }),
  max: ([maximum]) => ({ ...NUMBER, keywords: Number.isFinite(maximum) ? [{ maximum: Number(maximum) }] : [] }),
  isPositive: () => ({ ...NUMBER, keywords: [{ exclusiveMinimum: 0 }] }),
  isNegative: () => ({ ...NUMBER, keywords: [{ exclusiveMaximum: 0 }] }),
  isDivisibleBy: ([divisor]) => ({ ...NUMBER, keywords: toMultipleOf(divisor) }),
  // These rules also accept texts, to which the keywords do not apply; so the rules require no type.
  isLatitude: () => ({ keywords: [{ minimum: -90, maximum: 90 }] }),
  isLongitude: () => ({ keywords: [{ minimum: -180, maximum: 180 }] }),

  minLength: ([least]) => ({ ...STRING, keywords: toCount('minLength', least) }),
  maxLength: ([most]) => ({ ...STRING, keywords: toCount('maxLength', most) }),
  isLength: ([least, most]) => ({ ...STRING, keywords: [...toCount('minLength', least), ...toCount('maxLength', most)] }),
  matches: ([pattern, flags]) => ({ ...STRING, keywords: toPattern(toPortablePattern(pattern, flags)) }),
  contains: ([text]) => ({ ...STRING, keywords: toContaining(text) }),
  isUuid: () => ({ ...STRING, keywords: [{ format: 'uuid' }] }),
  // The format `ipv6` is omitted, because it rejects `fe80::1%eth0`, which the validator accepts.
  isIp: ([version]) => ({ ...STRING, keywords: String(version) === '4' ? [{ format: 'ipv4' }] : [] }),

  arrayMinSize: ([least]) => ({ ...ARRAY, keywords: toCount('minItems', least) }),
  arrayMaxSize: ([most]) => ({ ...ARRAY, keywords: toCount('maxItems', most) }),
  arrayNotEmpty: () => ({ ...ARRAY, keywords: [{ minItems: 1 }] }),
  arrayUnique: () => ({ ...ARRAY, keywords: [{ uniqueItems: true }] }),
  arrayContains: ([values]) => ({ ...ARRAY, keywords: pickPrimitives(values).map((value) => ({ contains: { const: value } })) }),
  isNotEmptyObject: () => ({ types: ['object'], keywords: [{ minProperties: 1 }] }),
};

/** Returns the values of an enum, without the reverse mapping from numbers to names. */
export function enumValues(entity: unknown): readonly unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const values = new Map<string, unknown>(Object.entries(entity));
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && typeof values.get(value) === 'number' && String(values.get(value)) === key;
  return [...values].filter(([key, value]) => !isName(key, value)).map(([, value]) => value);
}

function allowValues(values: unknown): RuleSchema {
  const allowed = pickPrimitives(values);
  // The keyword lists only primitives. The rule accepts no other JSON value: it compares objects by identity, and `null` counts
  // as absent.
  return allowed.length === 0 ? {} : { types: findTypes(allowed), keywords: [{ enum: allowed }] };
}

function refuseValues(values: unknown): RuleSchema {
  const refused = pickPrimitives(values);
  return refused.length === 0 ? {} : { keywords: [{ not: { enum: refused } }] };
}

function pickPrimitives(values: unknown): (string | number | boolean)[] {
  return Array.isArray(values) ? [...new Set(values.filter(isJsonPrimitive))] : [];
}

function findTypes(values: readonly unknown[]): readonly JsonType[] {
  const number = values.every((value) => typeof value !== 'number' || Number.isInteger(value)) ? 'integer' : 'number';
  return (['string', number, 'boolean'] as const).filter((type) => values.some((value) => hasType(value, type)));
}

/**
 * Returns the keyword for a divisor. The validator ignores the divisor's fraction. The keyword must be positive; a negative
 * divisor means the same.
 */
function toMultipleOf(divisor: unknown): readonly JsonSchema[] {
  const whole = Math.abs(Number.parseInt(String(divisor), 10));
  return whole > 0 ? [{ multipleOf: whole }] : [];
}

function toCount(keyword: 'minLength' | 'maxLength' | 'minItems' | 'maxItems', value: unknown): readonly JsonSchema[] {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? [{ [keyword]: Number(value) }] : [];
}

function toPattern(pattern: string | undefined): readonly JsonSchema[] {
  return pattern === undefined ? [] : [{ pattern }];
}

// Half of a surrogate pair gets no pattern: the rule also finds the half inside a whole pair, but a pattern reads code points.
function toContaining(text: unknown): readonly JsonSchema[] {
  return typeof text === 'string' && !/\p{Surrogate}/u.test(text) ? [{ pattern: escapePattern(text) }] : [];
}

/** Matches an atom or a bracket of a regular expression with its quantifier. */
const TOKEN =
  /(?<atom>\[(?:\\.|[^\]\\])*\]?|\\(?:x..|.)|\((?:\?(?:<?[=!]|:|<\w+>))?|.)(?:(?<quantifier>[*+?]|\{(?<least>\d+)(?:,\d*)?\})\??)?/g;

interface Token {
  readonly atom: string;
  /** Minimum number of occurrences. */
  readonly least: number;
}

/**
 * Converts a regular expression to the keyword `pattern`, which is read with the flag `u`. Returns `undefined` if the pattern
 * might then reject a text that the expression accepts.
 *
 * Takes the arguments of `@Matches()`: an expression, or its source and flags.
 */
export function toPortablePattern(pattern: unknown, flags: unknown): string | undefined {
  const expression = toExpression(pattern, flags);
  const remaining = expression?.flags.replaceAll(/[dg]/g, '');
  if (expression === undefined || (remaining !== '' && remaining !== 'u')) return undefined;
  return remaining === 'u' || acceptsNoLessByCodePoints(expression.source) ? expression.source : undefined;
}

/** Returns the `pattern` that matches any text containing a given text. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function toExpression(pattern: unknown, flags: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  return typeof pattern === 'string' ? compileExpression(pattern, typeof flags === 'string' ? flags : '') : undefined;
}

function compileExpression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/**
 * Whether an expression, read with the flag `u`, still accepts every text that it accepts without this flag. Without the
 * flag, a character beyond the Basic Multilingual Plane is two units. This makes no difference if only named ASCII
 * characters match. Otherwise an expression may need both units: `^.{2}$`, `^\S+\S+$`.
 */
function acceptsNoLessByCodePoints(source: string): boolean {
  const escapes = [...source.matchAll(/\\(.)/g)].map(([, letter]) => letter);
  if (!/^[ -~]*$/.test(source) || /[BPckpu]/.test(escapes.join('')) || compileExpression(source, 'u') === undefined) return false;
  const tokens = [...source.matchAll(TOKEN)].map(({ groups }) => toToken(groups));
  if (tokens.some(({ atom }) => /^\(\?<?!/.test(atom))) return false;
  const wide = tokens.filter(({ atom }) => isWide(atom));
  if (wide.some(({ least }) => least > 1)) return false;
  return wide.length === 0 || (wide.length === 1 ? !repeatsOrLooks(source) : areSeparated(tokens));
}

function toToken(groups: Readonly<Record<string, string | undefined>> = {}): Token {
  const { atom = '', quantifier, least } = groups;
  return { atom, least: least === undefined ? (quantifier === '*' || quantifier === '?' ? 0 : 1) : Number(least) };
}

/** Whether an atom also matches characters that it does not name, including halves of surrogate pairs. */
function isWide(atom: string): boolean {
  return atom === '.' || atom.startsWith('[^') || (/^[[\\]/.test(atom) && /\\[DSW]/.test(atom));
}

/** Whether the source has a quantified group, a look-around or a back-reference. Brackets inside character classes count too. */
function repeatsOrLooks(source: string): boolean {
  return /\)[*+?{]|\(\?<?=|\\[1-9]/.test(source);
}

/** Whether a named character separates every two wide atoms. Returns `false` for groups and alternatives. */
function areSeparated(tokens: readonly Token[]): boolean {
  let separated = true;
  for (const { atom, least } of tokens) {
    if (/^[()|]|^\\[1-9]/.test(atom)) return false;
    if (isWide(atom)) {
      if (!separated) return false;
      separated = false;
    } else if (least > 0 && !/^(?:[$^]|\\b)$/.test(atom)) separated = true;
  }
  return true;
}
