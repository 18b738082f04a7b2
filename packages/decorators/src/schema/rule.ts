import type { ValidationArguments } from 'class-validator';
import { getMetadataStorage } from 'class-validator';

import { lineage, type Constructor } from '../metadata/lineage.ts';
import { shorten } from '../shorten.ts';
import { guarded, type Constraint } from './constraint.ts';
import type { JsonSchema, JsonType } from './json-schema.ts';
import { RULES, type RuleSchema } from './rules.ts';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Asked with the object and the value, whether something holds. */
export type Condition = (object: object, value: unknown) => boolean;

/** One class-validator decorator on one property. */
export interface PropertyRule {
  readonly name: string;
  readonly property: string;
  /** The rule is for each element of an array. */
  readonly each: boolean;
  /** The JSON types that the rule demands; `undefined` if it says nothing of them. */
  readonly types: readonly JsonType[] | undefined;
  /** What a value must satisfy besides; none if the rule holds only on a condition. */
  readonly keywords: readonly JsonSchema[];
  /** The most characters or elements, for rules that limit them. */
  readonly most: number | undefined;
  readonly constraints: unknown[];
  readonly constraint: Constraint | undefined;
  readonly message: Metadata['message'] | undefined;
  /** The validator answers later, which a plan cannot wait for. */
  readonly async: boolean;
  /** The class of a validator that class-validator knows nothing of, and would never call. */
  readonly unregistered: string | undefined;
  /** Of a `@ValidateIf()`, or the option `validateIf` of another rule. */
  readonly condition: Condition | undefined;
}

/** Where the most characters or elements stand among the constraints of the rules that limit them. */
const LIMITS: Readonly<Record<string, number>> = { arrayMaxSize: 0, maxLength: 0, isLength: 1, isByteLength: 1 };

/**
 * The rules of a class by property, a subclass's rules replacing the same-named ones above it, `@IsDefined()` in a subclass undoing
 * `@IsOptional()` and the other way round. class-validator 0.15 drops all inherited rules of a redeclared property instead.
 */
export function propertyRules(target: Constructor): ReadonlyMap<string, readonly PropertyRule[]> {
  const properties = new Map<string, readonly PropertyRule[]>();
  for (const prototype of lineage(target)) {
    const rules = ownRules(prototype);
    for (const property of new Set(rules.map((rule) => rule.property))) {
      const own = rules.filter((rule) => rule.property === property);
      const replaced = new Set(own.map(keyOf));
      if (replaced.has('isDefined')) replaced.add('isOptional');
      if (replaced.has('isOptional')) replaced.add('isDefined');
      const inherited = (properties.get(property) ?? []).filter((rule) => !replaced.has(keyOf(rule)));
      properties.set(property, [...inherited, ...own]);
    }
  }
  return properties;
}

/** What is wrong with a value by one rule; `undefined` if nothing is. */
export function violation(rule: PropertyRule, value: unknown, object: object): string | undefined {
  if (rule.constraint === undefined) return undefined;
  const given = new Given(rule, value, object);
  if (rule.constraint.validate(value, given) === true) return undefined;
  return messageOf(rule, given);
}

/** What a validator is told of a value; the class's name, which is costly, only when it asks. */
class Given implements ValidationArguments {
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

function keyOf({ name, each }: PropertyRule): string {
  return each ? `${name} of each` : name;
}

/** By prototype: many classes share those above them, and asking for their rules is most of what a plan costs. */
const rulesOf = new WeakMap<object, readonly PropertyRule[]>();

function ownRules(prototype: object): readonly PropertyRule[] {
  const known = rulesOf.get(prototype);
  if (known !== undefined) return known;
  const target = prototype.constructor;
  const all = getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  const rules = all.filter((metadata) => metadata.target === target).map(toRule);
  rulesOf.set(prototype, rules);
  return rules;
}

function toRule(metadata: Metadata): PropertyRule {
  const validator = validatorOf(metadata);
  const name = metadata.name ?? validator.name ?? metadata.type;
  const constraints: unknown[] = metadata.constraints ?? [];
  const { types, keywords = [] } = ruleSchema(name, constraints);
  const condition = name === 'conditionalValidation' ? toCondition(constraints[0]) : metadata.validateIf;
  return {
    name,
    property: metadata.propertyName,
    each: metadata.each === true,
    types,
    keywords: condition === undefined ? keywords : [],
    most: mostOf(name, constraints),
    constraints,
    constraint: validator.constraint && guarded(name, validator.constraint),
    message: metadata.message,
    async: validator.async,
    unregistered: validator.unregistered,
    condition,
  };
}

function validatorOf({ constraintCls }: Metadata): {
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

function ruleSchema(name: string, constraints: readonly unknown[]): RuleSchema {
  return (Object.hasOwn(RULES, name) && RULES[name]?.(constraints)) || {};
}

function mostOf(name: string, constraints: readonly unknown[]): number | undefined {
  const most: unknown = Object.hasOwn(LIMITS, name) ? constraints[LIMITS[name] ?? 0] : undefined;
  return typeof most === 'number' ? most : undefined;
}

function toCondition(given: unknown): Condition | undefined {
  return typeof given === 'function' ? (object, value) => Boolean(Reflect.apply(given, undefined, [object, value])) : undefined;
}

function messageOf(rule: PropertyRule, given: ValidationArguments): string {
  const source = rule.message ?? (rule.constraint?.defaultMessage?.(given) || `does not satisfy ${rule.name}`);
  const template = typeof source === 'function' ? source(given) : source;
  // Replaced by functions, because "$&" in a given value would be read as a pattern.
  return template
    .replace(/^(each value in )?\$property /, '')
    .replaceAll('$property', () => given.property)
    .replaceAll('$target', () => given.targetName)
    .replaceAll('$value', () => (typeof given.value === 'object' ? '' : shorten(String(given.value))))
    .replaceAll(/\$constraint(\d+)/g, (_, position: string) => listed(given.constraints[Number(position) - 1]));
}

function listed(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
