import type { FieldOptions } from '../metadata/options.ts';
import { getPrimitiveType } from './declared-type.ts';
import { isJsonValue, type JsonSchema, type JsonType } from './json-schema.ts';
import { addTitles, mergeKeywords } from './keywords.ts';
import type { PropertyPlan, Shape, ValuePlan } from './plan.ts';
import type { PropertyRule } from './property-rule.ts';

/** Annotations of a property before compilation. */
export interface PropertySource {
  readonly name: string;
  readonly inherited: boolean;
  readonly field: FieldOptions;
  readonly rules: readonly PropertyRule[];
  /** Shape that `@Field` declares for the value, or for the elements of an array. */
  readonly declared: Shape | undefined;
  /** Class that the compiler emitted for the declared type. `undefined` if it emitted none. */
  readonly type: unknown;
  readonly initial: unknown;
}

/** Rules of a property, split into those for the value and those for the elements of an array. */
export interface SplitRules {
  readonly list: boolean;
  readonly own: readonly PropertyRule[];
  readonly items: readonly PropertyRule[];
}

/** Rules that are not validators; the plan implements them. */
const STRUCTURAL = new Set(['isOptional', 'isDefined']);

export function compileProperty(source: PropertySource): PropertyPlan {
  const { name, inherited, field, rules, initial } = source;
  const has = (rule: string): boolean => rules.some((each) => each.name === rule && !each.each);
  return {
    name,
    inherited,
    required: has('isDefined') || (initial === undefined && !has('isOptional')),
    conditions: rules.flatMap((rule) => (rule.name === 'conditionalValidation' ? (rule.condition ?? []) : [])),
    value: compileValue(source),
    title: field.title,
    description: field.description,
    header: field.header,
    // The value is copied, because the schema is frozen and an initialiser may return a shared value.
    initial: isJsonValue(initial) && initial !== null && !has('isDefined') ? structuredClone(initial) : undefined,
  };
}

export function splitRules(rules: readonly PropertyRule[]): SplitRules {
  const own = rules.filter((rule) => !rule.each);
  const items = rules.filter((rule) => rule.each);
  return { own, items, list: items.length > 0 || own.some(({ types }) => types?.includes('array') === true) };
}

/** Returns the types that all rules allow together; an integer is a number. Returns `undefined` if no rule requires a type. */
export function intersectTypes(rules: readonly Pick<PropertyRule, 'types'>[]): readonly JsonType[] | undefined {
  return rules
    .map(({ types }) => types)
    .reduce((some, others) => {
      if (some === undefined || others === undefined) return some ?? others;
      const allows = (types: readonly JsonType[], type: JsonType): boolean =>
        types.includes(type) || (type === 'integer' && types.includes('number'));
      return [...new Set([...some.filter((type) => allows(others, type)), ...others.filter((type) => allows(some, type))])];
    }, undefined);
}

function compileValue(source: PropertySource): ValuePlan {
  const { rules, field, declared } = source;
  const { list, own, items } = splitRules(rules);
  const conditional = rules.some(({ name }) => name === 'conditionalValidation');
  const compile = (shape: Shape, applied: readonly PropertyRule[]): ValuePlan => {
    const checked = applied.filter(isChecked);
    const limits = checked.filter(isLimit);
    return {
      shape,
      refinements: checked.filter(({ isTypeCheck }) => !isTypeCheck),
      rules: [...limits, ...checked.filter((rule) => !isLimit(rule))],
      limits: conditional || shape.kind !== 'list' ? [] : limits.filter(({ condition }) => condition === undefined),
      keywords: mergeKeywords(shape, conditional ? [] : applied.flatMap(({ keywords }) => keywords)),
    };
  };
  const inner = list ? items : own;
  const shape = refineShape(declared, intersectTypes(inner) ?? inferTypes(source, list));
  const element = compile(shape, inner);
  const described = { ...element, keywords: addOptions(element.keywords, field, list) };
  return list ? compile({ kind: 'list', items: described }, own) : described;
}

function refineShape(declared: Shape | undefined, types: readonly JsonType[] | undefined): Shape {
  if (declared === undefined) return { kind: 'json', types };
  return declared.kind === 'json' ? { kind: 'json', types: intersectTypes([declared, { types }]) } : declared;
}

/**
 * Returns the primitive type that the compiler emitted for a property, if a rule checks the value. The caller needs it for rules
 * that require no type, such as `@IsEmail()`.
 */
function inferTypes({ rules, type }: PropertySource, list: boolean): readonly JsonType[] | undefined {
  const primitive = list || !rules.some(isChecked) ? undefined : getPrimitiveType(type);
  return primitive && [primitive];
}

function addOptions(keywords: JsonSchema, { format, titles }: FieldOptions, list: boolean): JsonSchema {
  const formatted = format === undefined ? keywords : { ...keywords, format };
  return titles === undefined ? formatted : addTitles(formatted, titles, list);
}

function isChecked({ name, each, constraint }: PropertyRule): boolean {
  return constraint !== undefined && (each || !STRUCTURAL.has(name));
}

function isLimit({ maxLength }: PropertyRule): boolean {
  return maxLength !== undefined;
}
