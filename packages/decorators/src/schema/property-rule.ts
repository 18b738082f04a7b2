import type { MetadataStorage } from 'class-validator';
import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';

import { getLineage, type Constructor } from '../metadata/lineage.ts';
import { shorten } from '../text/shorten.ts';
import type { Issues } from './issues.ts';
import { type JsonSchema, type JsonType, isPlainObject } from './json-schema.ts';
import { createQuickTest, type QuickTest } from './quick-tests.ts';
import { RULE_SCHEMAS, type RuleSchema, enumValues } from './rule-schemas.ts';

type Metadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Whether a rule applies to an object and a value. */
export type Condition = (object: object, value: unknown) => boolean;

/** One class-validator decorator on one property. */
export interface PropertyRule {
  readonly name: string;
  readonly property: string;
  /** Whether the rule applies to each element of an array. */
  readonly each: boolean;
  /** JSON types that the rule requires; `undefined` if it requires none. */
  readonly types: readonly JsonType[] | undefined;
  /** Whether the rule checks only that the value has one of its types, which every value of a plan has. */
  readonly isTypeCheck: boolean;
  /** Test of values that saves the time of the validator, if the rule has one. */
  readonly isSurelyValid: QuickTest | undefined;
  /** Further keywords that a value must satisfy. Empty for a conditional rule. */
  readonly keywords: readonly JsonSchema[];
  /** Maximum number of characters or elements, for rules that limit them. */
  readonly maxLength: number | undefined;
  readonly constraints: unknown[];
  readonly constraint: Constraint | undefined;
  readonly message: string | ((given: RuleArguments) => string) | undefined;
  /** Whether the validator is asynchronous, which a plan does not support. */
  readonly async: boolean;
  /** Class of a validator without `@ValidatorConstraint()`, which class-validator would never call. */
  readonly unregistered: string | undefined;
  /** Condition of `@ValidateIf()`, or the option `validateIf` of another rule. */
  readonly condition: Condition | undefined;
}

/** Position of the maximum in the constraints of each limiting rule. */
const LIMITS: Readonly<Record<string, number>> = { arrayMaxSize: 0, maxLength: 0, isLength: 1, isByteLength: 1 };

/** Rules that check only the type of a value. */
const TYPE_CHECKS = new Set(['isArray', 'isBoolean', 'isInt', 'isObject', 'isString']);

/**
 * Returns the rules of a class by property. A rule of a subclass replaces the inherited rule of the same name; `@IsDefined()` and
 * `@IsOptional()` replace each other. class-validator 0.15 would instead drop all inherited rules of a redeclared property.
 */
export function readRules(target: Constructor): ReadonlyMap<string, readonly PropertyRule[]> {
  const properties = new Map<string, readonly PropertyRule[]>();
  for (const prototype of getLineage(target)) {
    const rules = readOwnRules(prototype);
    for (const property of new Set(rules.map((rule) => rule.property))) {
      const own = rules.filter((rule) => rule.property === property);
      const replaced = new Set(own.map(getKey));
      if (replaced.has('isDefined')) replaced.add('isOptional');
      if (replaced.has('isOptional')) replaced.add('isDefined');
      const inherited = (properties.get(property) ?? []).filter((rule) => !replaced.has(getKey(rule)));
      properties.set(property, [...inherited, ...own]);
    }
  }
  return properties;
}

/** Whether a value violates a rule; adds an issue if so. */
export function isViolated(rule: PropertyRule, value: unknown, holder: object, issues: Issues): boolean {
  try {
    if (rule.condition?.(holder, value) === false) return false;
    const message = findViolation(rule, value, holder);
    if (message !== undefined) issues.add(message);
    return message !== undefined;
  } catch (error) {
    // The error is ignored if there are issues: the validator may have thrown because it read a property that was rejected.
    if (issues.count === 0) throw error;
    return false;
  }
}

/** Returns the message of a violated rule, or `undefined`. */
function findViolation(rule: PropertyRule, value: unknown, object: object): string | undefined {
  if (rule.constraint === undefined) return undefined;
  const given = new RuleArguments(rule, value, object);
  if (rule.constraint.validate(value, given) === true) return undefined;
  return formatMessage(rule, given);
}

/** Arguments of a validator. The class name is computed on access, because it is costly. */
class RuleArguments {
  readonly value: unknown;
  readonly property: string;
  readonly object: object;
  readonly constraints: unknown[];

  constructor({ property, constraints }: PropertyRule, value: unknown, object: object) {
    this.value = value;
    this.property = property;
    this.object = object;
    this.constraints = constraints;
  }

  get targetName(): string {
    return this.object.constructor.name;
  }
}

function getKey({ name, each }: PropertyRule): string {
  return each ? `${name} of each` : name;
}

/** The rules of each prototype, because many classes share base classes, and reading rules is most of the cost of a plan. */
const rulesByPrototype = new WeakMap<object, readonly PropertyRule[]>();

function readOwnRules(prototype: object): readonly PropertyRule[] {
  const known = rulesByPrototype.get(prototype);
  if (known !== undefined) return known;
  const target = prototype.constructor;
  const all = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  const rules = all.filter((metadata) => metadata.target === target).map(toRule);
  rulesByPrototype.set(prototype, rules);
  return rules;
}

function toRule(metadata: Metadata): PropertyRule {
  const validator = findValidator(metadata);
  const name = metadata.name ?? validator.name ?? metadata.type;
  const constraints: unknown[] = metadata.constraints ?? [];
  const { types, keywords = [] } = getRuleSchema(name, constraints);
  const condition = name === 'conditionalValidation' ? toCondition(constraints[0]) : metadata.validateIf;
  return {
    name,
    property: metadata.propertyName,
    each: metadata.each === true,
    types,
    isTypeCheck: isTypeCheck(name, constraints),
    isSurelyValid: createQuickTest(name, constraints),
    keywords: condition === undefined ? keywords : [],
    maxLength: readMaxLength(name, constraints),
    constraints,
    constraint: validator.constraint && guardConstraint(name, validator.constraint),
    message: metadata.message,
    async: validator.async,
    unregistered: validator.unregistered,
    condition,
  };
}

function findValidator({ constraintCls }: Metadata): {
  readonly name?: string;
  readonly constraint?: Constraint;
  readonly async: boolean;
  readonly unregistered: string | undefined;
} {
  if (!constraintCls) return { async: false, unregistered: undefined };
  const [registered] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (registered === undefined) return { async: false, unregistered: constraintCls.name };
  return { name: registered.name, constraint: registered.instance, async: registered.async, unregistered: undefined };
}

function getRuleSchema(name: string, constraints: readonly unknown[]): RuleSchema {
  return (Object.hasOwn(RULE_SCHEMAS, name) && RULE_SCHEMAS[name]?.(constraints)) || {};
}

function isTypeCheck(name: string, [options]: readonly unknown[]): boolean {
  if (name === 'isNumber') return !isPlainObject(options) || options['maxDecimalPlaces'] === undefined;
  return TYPE_CHECKS.has(name);
}

function readMaxLength(name: string, constraints: readonly unknown[]): number | undefined {
  const most: unknown = Object.hasOwn(LIMITS, name) ? constraints[LIMITS[name] ?? 0] : undefined;
  return typeof most === 'number' ? most : undefined;
}

function toCondition(given: unknown): Condition | undefined {
  return typeof given === 'function' ? (object, value) => Boolean(Reflect.apply(given, undefined, [object, value])) : undefined;
}

function formatMessage(rule: PropertyRule, given: RuleArguments): string {
  const source = rule.message ?? (rule.constraint?.defaultMessage?.(given) || `does not satisfy ${rule.name}`);
  const template = typeof source === 'function' ? source(given) : source;
  // Uses functions, because `replaceAll` interprets "$&" in a replacement text.
  return template
    .replace(/^(each value in )?\$property /, '')
    .replaceAll('$property', () => given.property)
    .replaceAll('$target', () => given.targetName)
    .replaceAll('$value', () => (isPrimitive(given.value) ? shorten(String(given.value)) : ''))
    .replaceAll(/\$constraint(\d+)/g, (_, position: string) => formatConstraint(given.constraints[Number(position) - 1]));
}

function formatConstraint(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}

function isPrimitive(value: unknown): value is string | number | bigint | boolean | symbol | undefined {
  return typeof value !== 'object' && typeof value !== 'function';
}

/** Validator of a rule. */
interface Constraint {
  validate(value: unknown, given: RuleArguments): unknown;
  defaultMessage?(given: RuleArguments): string;
}

type Verdict = (value: unknown, constraint: Constraint, given: RuleArguments) => unknown;

const unlessItThrows: Verdict = (value, constraint, given) => {
  try {
    return constraint.validate(value, given);
  } catch {
    return false;
  }
};

/**
 * Guards for class-validator's validators that throw for some JSON values, take minutes for them, or accept values that their
 * keyword rejects.
 */
const GUARDS: Readonly<Record<string, Verdict>> = {
  // The validator throws for a text with half of a surrogate pair.
  isByteLength: unlessItThrows,
  isEmail: unlessItThrows,
  // The validator throws for 1e-7, because it cannot count the decimal places of this notation.
  isNumber: unlessItThrows,
  // The validator calls the method `hasOwnProperty` of the value, which a client can replace by a property of this name. So all
  // keys get a prefix.
  isNotEmptyObject: (value, constraint, given) => isPlainObject(value) && constraint.validate(prefixKeys(value), given),
  // The validator searches the array for each element, which takes minutes for a million elements without an index.
  arrayUnique: (value, constraint, given) => constraint.validate(Array.isArray(value) ? IndexedArray.from(value) : value, given),
  // The validator accepts not only the values of a numeric enum but also their names.
  isEnum: (value, constraint, given) =>
    constraint.validate(value, given) === true && enumValues(given.constraints[0]).includes(value),
  // Numbers beyond the safe integers are rejected, because their divisibility depends on how it is computed.
  isDivisibleBy: (value, constraint, given) =>
    constraint.validate(value, given) === true && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER,
  // The validator counts a character with a variation selector as one character, whereas JSON Schema counts two.
  maxLength: (value, constraint, given) =>
    constraint.validate(value, given) === true && isShortEnough(String(value), given.constraints[0]),
  isLength: (value, constraint, given) =>
    constraint.validate(value, given) === true && isShortEnough(String(value), given.constraints[1]),
};

/** Wraps a validator so that it answers for every JSON value, and rejects every value that its keyword rejects. */
function guardConstraint(name: string, constraint: Constraint): Constraint {
  const verdict = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (verdict === undefined) return constraint;
  return {
    validate: (value, given) => verdict(value, constraint, given),
    ...(constraint.defaultMessage && { defaultMessage: (given) => constraint.defaultMessage?.(given) ?? '' }),
  };
}

function prefixKeys(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [`.${key}`, part]));
}

/** An array with constant-time `indexOf`, as are the arrays that `map` creates from it. */
class IndexedArray extends Array<unknown> {
  #positions: ReadonlyMap<unknown, number> | undefined;

  override indexOf(item: unknown): number {
    // Reversed, so that the first of equal elements wins.
    this.#positions ??= new Map(Array.from(this.entries(), ([position, each]) => [each, position] as const).toReversed());
    return this.#positions.get(item) ?? -1;
  }
}

/**
 * Whether a text has at most `maxLength` characters, counted as JSON Schema counts them. In JavaScript, a character has a length
 * of one or two.
 */
function isShortEnough(text: string, maxLength: unknown): boolean {
  if (typeof maxLength !== 'number' || text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && Array.from(text).length <= maxLength;
}
