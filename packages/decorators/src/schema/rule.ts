import type { ValidationArguments } from 'class-validator';
import { getMetadataStorage } from 'class-validator';

import { lineage, type Constructor } from '../metadata/lineage.ts';
import type { JsonSchema } from './json-schema.ts';
import { RULES } from './rules.ts';

type Message = string | ((given: ValidationArguments) => string) | undefined;

interface Constraint {
  validate(value: unknown, given: ValidationArguments): unknown;
  defaultMessage?(given: ValidationArguments): string;
}

/** One class-validator decorator on one property. */
export interface PropertyRule {
  readonly name: string;
  /** The rule is for each element of an array. */
  readonly each: boolean;
  readonly keywords: JsonSchema;
  readonly constraints: readonly unknown[];
  readonly constraint: Constraint | undefined;
  readonly message: Message;
  /** The validator answers later, which a plan cannot wait for. */
  readonly async: boolean;
}

/**
 * The rules of a class by property, a subclass's rule replacing the same-named one above it and `@IsDefined()` in a
 * subclass undoing `@IsOptional()`. class-validator 0.15 drops all inherited rules of a redeclared property instead.
 */
export function propertyRules(target: Constructor): ReadonlyMap<string, readonly PropertyRule[]> {
  const properties = new Map<string, Map<string, PropertyRule>>();
  for (const prototype of lineage(target)) {
    for (const [property, rule] of ownRules(prototype)) {
      const rules = properties.get(property) ?? new Map<string, PropertyRule>();
      if (rule.name === 'isDefined') rules.delete('isOptional');
      rules.set(rule.each ? `${rule.name} of each` : rule.name, rule);
      properties.set(property, rules);
    }
  }
  return new Map([...properties].map(([property, rules]) => [property, [...rules.values()]]));
}

/** What is wrong with a value by one rule; `undefined` if nothing is. */
export function violation(rule: PropertyRule, value: unknown, property: string, object: object): string | undefined {
  if (rule.constraint === undefined) return undefined;
  const given: ValidationArguments = {
    value,
    property,
    object,
    constraints: [...rule.constraints],
    targetName: object.constructor.name,
  };
  if (rule.constraint.validate(value, given) === true) return undefined;
  return messageOf(rule, given);
}

function ownRules(prototype: object): readonly (readonly [string, PropertyRule])[] {
  const storage = getMetadataStorage();
  const target = prototype.constructor;
  return storage
    .getTargetValidationMetadatas(target, '', false, false)
    .filter((metadata) => metadata.target === target)
    .map((metadata) => {
      const [registered] = metadata.constraintCls ? storage.getTargetValidatorConstraints(metadata.constraintCls) : [];
      const name = metadata.name ?? registered?.name ?? metadata.type;
      const constraints: readonly unknown[] = metadata.constraints ?? [];
      const rule: PropertyRule = {
        name,
        each: metadata.each,
        keywords: RULES[name]?.(constraints) ?? {},
        constraints,
        constraint: registered?.instance,
        message: metadata.message,
        async: registered?.async === true,
      };
      return [metadata.propertyName, rule] as const;
    });
}

function messageOf(rule: PropertyRule, given: ValidationArguments): string {
  const source = rule.message ?? (rule.constraint?.defaultMessage?.(given) || `does not satisfy ${rule.name}`);
  const template = typeof source === 'function' ? source(given) : source;
  // Replaced by functions, because "$&" in a given value would be read as a pattern.
  return template
    .replace(/^(each value in )?\$property /, '')
    .replaceAll('$property', () => given.property)
    .replaceAll('$target', () => given.targetName)
    .replaceAll('$value', () => (typeof given.value === 'object' ? '' : String(given.value)))
    .replaceAll(/\$constraint(\d+)/g, (_, position: string) => listed(given.constraints[Number(position) - 1]));
}

function listed(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
