import { fieldAnnotations, type FieldOptions } from '../metadata/annotation.ts';
import { lineage, type Constructor } from '../metadata/lineage.ts';
import { freeze, isJsonValue, type JsonSchema, type JsonType, type ObjectSchema } from './json-schema.ts';
import { propertyRules, type PropertyRule } from './rule.ts';

/** How one property is read, checked and described. */
export interface PropertyPlan {
  readonly name: string;
  readonly required: boolean;
  /** The JSON type of the value; `array` for lists. */
  readonly type: JsonType | undefined;
  /** The JSON type of a list's elements. */
  readonly itemType: JsonType | undefined;
  /** The plan of the nested object, or of each of a list's elements. */
  readonly nested: Plan | undefined;
  /** Rules of the value itself. */
  readonly rules: readonly PropertyRule[];
  /** Rules of each element. */
  readonly itemRules: readonly PropertyRule[];
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** A class, compiled once: its properties and its JSON Schemas. */
export interface Plan {
  readonly target: Constructor;
  readonly properties: ReadonlyMap<string, PropertyPlan>;
  /** Closed: unknown properties are refused. */
  readonly input: ObjectSchema;
  /** Open at its root, so that fields can be added later. */
  readonly output: ObjectSchema;
  /** `Class.property: what is wrong and the remedy`, of nested classes too. */
  readonly problems: readonly string[];
}

const STRUCTURAL = new Set(['isOptional', 'isDefined']);
const plans = new WeakMap<Constructor, Plan>();

/** The plan of a class; made on first use and kept. */
export function planOf(target: Constructor): Plan {
  const known = plans.get(target);
  if (known !== undefined) return known;
  const plan = compile(target, []);
  plans.set(target, plan);
  return plan;
}

function compile(target: Constructor, outer: readonly Constructor[]): Plan {
  const problems: string[] = [];
  const fields = new Map(lineage(target).flatMap((prototype) => [...fieldAnnotations(prototype)]));
  const rules = propertyRules(target);
  const defaults = initialValues(target, problems);
  const properties = new Map<string, PropertyPlan>();
  for (const name of new Set([...rules.keys(), ...fields.keys()])) {
    const place = `${target.name}.${name}`;
    const nested = nestedPlan(place, fields.get(name), [...outer, target], problems);
    const source = { name, field: fields.get(name) ?? {}, rules: rules.get(name) ?? [], nested, initial: defaults.get(name) };
    const property = compileProperty(source);
    problems.push(...propertyProblems(place, source, property));
    properties.set(name, property);
  }
  problems.push(...unannotated(target, properties, defaults));
  const input = freeze<ObjectSchema>({ ...objectSchema(properties, 'input'), additionalProperties: false });
  return { target, properties, input, output: freeze(objectSchema(properties, 'output')), problems };
}

interface PropertySource {
  readonly name: string;
  readonly field: FieldOptions;
  readonly rules: readonly PropertyRule[];
  readonly nested: Plan | undefined;
  readonly initial: unknown;
}

function compileProperty({ name, field, rules, nested, initial }: PropertySource): PropertyPlan {
  const own = rules.filter((rule) => !rule.each);
  const items = rules.filter((rule) => rule.each);
  const keywords = merged(own);
  const list = items.length > 0 || keywords.type === 'array';
  const describe = (side: 'input' | 'output'): JsonSchema => ({
    ...(field.title !== undefined && { title: field.title }),
    ...(field.description !== undefined && { description: field.description }),
    ...(nested && !list ? nested[side] : keywords),
    ...(list && { type: 'array', items: { ...merged(items), ...nested?.[side] } }),
    // A copy, because the schema is frozen and an initialiser may hand out a value that it shares.
    ...(isJsonValue(initial) && { default: structuredClone(initial) }),
  });
  return {
    name,
    required: initial === undefined && !rules.some((rule) => rule.name === 'isOptional'),
    type: list ? 'array' : nested ? 'object' : keywords.type,
    itemType: nested && list ? 'object' : merged(items).type,
    nested,
    rules: own.filter((rule) => !STRUCTURAL.has(rule.name)),
    itemRules: items,
    input: describe('input'),
    output: describe('output'),
  };
}

function propertyProblems(place: string, { field, rules }: PropertySource, { type, itemType }: PropertyPlan): readonly string[] {
  const names = new Set(rules.map((rule) => rule.name));
  const types = new Set(rules.filter((rule) => !rule.each).flatMap((rule) => rule.keywords.type ?? []));
  const problems: string[] = [];
  for (const rule of rules.filter(({ async }) => async))
    problems.push(`${place}: the validator ${rule.name} is asynchronous, which is not supported`);
  if (names.has('conditionalValidation')) problems.push(`${place}: @ValidateIf() is not supported; make the property optional`);
  if (names.has('nestedValidation') && field.type === undefined)
    problems.push(`${place}: @ValidateNested() needs the class: @Field('…', { type: () => Dto })`);
  if (types.size > 1) problems.push(`${place}: conflicting types ${[...types].join(' and ')}`);
  if (type === undefined) problems.push(`${place}: has no type; add a rule of class-validator, such as @IsString()`);
  if (type === 'array' && itemType === undefined)
    problems.push(
      `${place}: is an array without element type; add a rule such as @IsString({ each: true }), or @Field('…', { type: () => Dto })`,
    );
  return problems;
}

function nestedPlan(
  place: string,
  field: FieldOptions | undefined,
  outer: readonly Constructor[],
  problems: string[],
): Plan | undefined {
  const target = field?.type?.();
  if (target === undefined) return undefined;
  if (outer.includes(target)) {
    problems.push(`${place}: ${target.name} contains itself, which is not supported`);
    return undefined;
  }
  const plan = plans.get(target) ?? compile(target, outer);
  problems.push(...plan.problems);
  return plan;
}

/** Fields that stand in an instance without any annotation: they would be refused as unknown, or never sent. */
function unannotated(
  target: Constructor,
  properties: ReadonlyMap<string, PropertyPlan>,
  initial: ReadonlyMap<string, unknown>,
): readonly string[] {
  if (properties.size === 0) return [`${target.name}: has no annotated property; add @Field and a rule of class-validator`];
  const missing = [...initial.keys()].filter((name) => !properties.has(name));
  return missing.map((name) => `${target.name}.${name}: has no annotation; add @Field or a rule of class-validator`);
}

/** Initialisers are defaults, so one instance is made to see them. */
function initialValues(target: Constructor, problems: string[]): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(new target()));
  } catch {
    problems.push(`${target.name}: cannot be instantiated without arguments`);
    return new Map();
  }
}

function merged(rules: readonly PropertyRule[]): JsonSchema {
  return Object.assign({}, ...rules.map((rule) => rule.keywords));
}

function objectSchema(properties: ReadonlyMap<string, PropertyPlan>, side: 'input' | 'output'): ObjectSchema {
  const plans = [...properties.values()];
  const required = plans.filter((property) => property.required).map((property) => property.name);
  return {
    type: 'object',
    properties: Object.fromEntries(plans.map((property) => [property.name, property[side]])),
    ...(required.length > 0 && { required }),
  };
}
