import type { FieldOptions } from '../metadata/options.ts';
import { isJsonValue, type JsonSchema, type JsonType } from './json-schema.ts';
import { keywordsFor, titled } from './keywords.ts';
import type { PropertyPlan, Shape, ValuePlan } from './plan.ts';
import type { PropertyRule } from './rule.ts';

/** What is known of a property before it is compiled. */
export interface PropertySource {
  readonly name: string;
  readonly inherited: boolean;
  readonly field: FieldOptions;
  readonly rules: readonly PropertyRule[];
  /** What `@Field` says of the value, or of an array's elements. */
  readonly declared: Shape | undefined;
  readonly initial: unknown;
}

/** The rules of a property, as they concern the value and an array's elements. */
export interface Roles {
  readonly list: boolean;
  readonly own: readonly PropertyRule[];
  readonly items: readonly PropertyRule[];
}

/** Rules that are no validators; a plan sees to them itself. */
const STRUCTURAL = new Set(['isOptional', 'isDefined']);

export function compileProperty(source: PropertySource): PropertyPlan {
  const { name, inherited, field, rules, initial } = source;
  const has = (rule: string): boolean => rules.some((each) => each.name === rule && !each.each);
  return {
    name,
    inherited,
    required: has('isDefined') || (initial === undefined && !has('isOptional')),
    conditions: rules.flatMap((rule) => (rule.name === 'conditionalValidation' ? (rule.condition ?? []) : [])),
    value: valueOf(source),
    title: field.title,
    description: field.description,
    header: field.header,
    // A copy, because the schema is frozen and an initialiser may hand out a value that it shares.
    initial: isJsonValue(initial) && initial !== null && !has('isDefined') ? structuredClone(initial) : undefined,
  };
}

export function rolesOf(rules: readonly PropertyRule[]): Roles {
  const own = rules.filter((rule) => !rule.each);
  const items = rules.filter((rule) => rule.each);
  return { own, items, list: items.length > 0 || own.some(({ types }) => types?.includes('array') === true) };
}

/** The types that all rules demand together: an integer is a number. `undefined` if none demands any. */
export function commonTypes(rules: readonly Pick<PropertyRule, 'types'>[]): readonly JsonType[] | undefined {
  return rules
    .map(({ types }) => types)
    .reduce((some, others) => {
      if (some === undefined || others === undefined) return some ?? others;
      const allows = (types: readonly JsonType[], type: JsonType): boolean =>
        types.includes(type) || (type === 'integer' && types.includes('number'));
      return [...new Set([...some.filter((type) => allows(others, type)), ...others.filter((type) => allows(some, type))])];
    }, undefined);
}

function valueOf({ rules, field, declared }: PropertySource): ValuePlan {
  const { list, own, items } = rolesOf(rules);
  const conditional = rules.some(({ name }) => name === 'conditionalValidation');
  const compile = (shape: Shape, applied: readonly PropertyRule[]): ValuePlan => {
    const checked = applied.filter(isChecked);
    const limits = checked.filter(isLimit);
    return {
      shape,
      rules: [...limits, ...checked.filter((rule) => !isLimit(rule))],
      limits: conditional || shape.kind !== 'list' ? [] : limits.filter(({ condition }) => condition === undefined),
      keywords: keywordsFor(shape, conditional ? [] : applied.flatMap(({ keywords }) => keywords)),
    };
  };
  const inner = list ? items : own;
  const shape = refined(declared, commonTypes(inner));
  const element = compile(shape, inner);
  const described = { ...element, keywords: withOptions(element.keywords, field, list) };
  return list ? compile({ kind: 'list', items: described }, own) : described;
}

function refined(declared: Shape | undefined, types: readonly JsonType[] | undefined): Shape {
  if (declared === undefined) return { kind: 'json', types };
  return declared.kind === 'json' ? { kind: 'json', types: commonTypes([declared, { types }]) } : declared;
}

function withOptions(keywords: JsonSchema, { format, titles }: FieldOptions, list: boolean): JsonSchema {
  const formatted = format === undefined ? keywords : { ...keywords, format };
  return titles === undefined ? formatted : titled(formatted, titles, list);
}

function isChecked({ name, each, constraint }: PropertyRule): boolean {
  return constraint !== undefined && (each || !STRUCTURAL.has(name));
}

function isLimit({ most }: PropertyRule): boolean {
  return most !== undefined;
}
