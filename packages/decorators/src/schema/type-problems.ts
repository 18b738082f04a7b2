import { getPrimitiveType } from './declared-type.ts';
import { withArticle, type JsonType } from './json-schema.ts';
import type { Shape } from './plan.ts';
import type { PropertyRule } from './property-rule.ts';
import { intersectTypes, splitRules, type PropertySource } from './property.ts';

type Demand = Pick<PropertyRule, 'types'>;

const NEST = 'use @ValidateNested() and @Field({ type: () => Dto }) instead';
const TIME = 'use @IsString() and @IsISO8601() instead';

/** Rules for values that JSON cannot represent, with their replacements. */
export const RULES_WITHOUT_JSON: ReadonlyMap<string, string> = new Map([
  ['isDate', `@IsDate() requires a value that JSON cannot represent; ${TIME}`],
  ['minDate', `@MinDate() requires a value that JSON cannot represent; ${TIME}`],
  ['maxDate', `@MaxDate() requires a value that JSON cannot represent; ${TIME}`],
  ['isInstance', `@IsInstance() requires a value that JSON cannot represent; ${NEST}`],
  ['promiseValidation', `@ValidatePromise() requires a value that JSON cannot represent; ${NEST}`],
]);

const AS_TEXT = 'declare the property as string';

/** Classes whose instances JSON cannot represent, with the remedy for a property that has no rules. */
const CLASSES_WITHOUT_JSON: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [BigInt, `${AS_TEXT}, and add @IsNumberString()`],
  [Date, `${AS_TEXT}, and add @IsString() and @IsISO8601()`],
  [Map, "declare the property as Record<string, string>, and add @Field('…', { values: 'string' })"],
  [Promise, 'declare the type of the awaited value'],
  [RegExp, `${AS_TEXT}, and add @IsString()`],
  [Set, 'declare the property as string[], and add @IsString({ each: true }) and @ArrayUnique()'],
  [Symbol, `${AS_TEXT}, and add @IsString()`],
  [URL, `${AS_TEXT}, and add @IsUrl()`],
]);

/** Rules for a property that is declared with a JSON type. */
const RULES: Readonly<Record<JsonType, string>> = {
  string: '@IsString(), or @IsIn([…]) for a choice',
  number: '@IsNumber() or @IsInt()',
  integer: '@IsInt()',
  boolean: '@IsBoolean()',
  array: "@IsString({ each: true }), or @Field('…', { type: () => Dto })",
  object: "@ValidateNested() and @Field('…', { type: () => Dto })",
  null: "@Field('…', { type: 'null' })",
};

/** TypeScript's names of JSON types, if they differ. */
const TYPE_NAMES: Partial<Record<JsonType, string>> = {
  integer: 'number',
  array: 'an array',
  object: 'a class or an object type',
};

const PRIMITIVES: ReadonlySet<unknown> = new Set([BigInt, Boolean, Number, String, Symbol]);

const NO_RULE = 'has no type; add a rule of class-validator, such as @IsString()';
const NO_ELEMENT_RULE = `is an array without element type; add a rule such as ${RULES.array}`;
const UNION =
  "has no type; add @IsIn() or @IsEnum() for a choice, or an option of @Field: values for a map, type: ['string', 'number'] " +
  'for several types, oneOf for several classes';

/** Lists the mistakes in the type of a property: missing, conflicting and contradicting types. */
export function findTypeProblems(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  const { list, own, items } = splitRules(source.rules);
  return [
    ...findConflicts([...(list ? items : own), ...getDemand(source.declared)]),
    ...(list ? findConflicts([...own, { types: ['array'] }]) : []),
    ...findMissingTypes(source, shape, element),
    ...findContradictions(source, shape),
  ];
}

function findMissingTypes(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  if (lacksNestedClass(source)) return ["@ValidateNested() needs the class: @Field('…', { type: () => Dto })"];
  return isTypeless(source, element) ? [describeTypeless(source, shape)] : [];
}

function lacksNestedClass({ field: { type, oneOf, values }, rules }: PropertySource): boolean {
  return (type ?? oneOf ?? values) === undefined && rules.some(({ name }) => name === 'nestedValidation');
}

function isTypeless({ declared, rules }: PropertySource, element: Shape): boolean {
  if (declared !== undefined || rules.some(({ name }) => RULES_WITHOUT_JSON.has(name))) return false;
  return element.kind === 'json' && element.types === undefined;
}

function getDemand(declared: Shape | undefined): readonly Demand[] {
  if (declared === undefined) return [];
  return [declared.kind === 'json' ? declared : { types: ['object'] }];
}

function findConflicts(demands: readonly Demand[]): readonly string[] {
  if (intersectTypes(demands)?.length !== 0) return [];
  const types = new Set(demands.flatMap((demand) => demand.types ?? []));
  return [`conflicting types ${[...types].join(' and ')}; keep the rules of one`];
}

/** Finds a declared type that the rules of the property contradict. */
function findContradictions({ type }: PropertySource, shape: Shape): readonly string[] {
  const declared = getDeclaredTypes(type);
  const required = getShapeTypes(shape);
  if (declared === undefined || required === undefined || required.length === 0) return [];
  if (intersectTypes([{ types: required }, { types: declared }])?.length !== 0) return [];
  const asRequired = required.map((each) => TYPE_NAMES[each] ?? each).join(' | ');
  const [other] = declared;
  const replacement = other === undefined ? '' : `, or replace the rules by ${RULES[other]}`;
  const demand = required.map(withArticle).join(' or ');
  return [
    `is declared as ${nameType(type)}, but its rules require ${demand}; declare the property as ${asRequired}${replacement}`,
  ];
}

/** Describes a property that neither rules nor `@Field` give a type. */
function describeTypeless({ type, initial }: Pick<PropertySource, 'type' | 'initial'>, shape: Shape): string {
  const known = type === undefined || type === Object ? getClassOfValue(initial) : type;
  if (shape.kind === 'list' || known === Array) return NO_ELEMENT_RULE;
  const instead = CLASSES_WITHOUT_JSON.get(known);
  if (instead !== undefined) return `is declared as ${nameType(known)}, which JSON cannot represent; ${instead}`;
  if (known === undefined) return type === undefined ? NO_RULE : UNION;
  return `has no type; add ${RULES[getJsonType(known)].replace('Dto', nameType(known))}`;
}

/** Returns the JSON types of a declared type: `undefined` if any type is possible, an empty list if JSON has no such value. */
function getDeclaredTypes(type: unknown): readonly JsonType[] | undefined {
  if (type === undefined || type === Object) return undefined;
  return CLASSES_WITHOUT_JSON.has(type) ? [] : [getJsonType(type)];
}

function getJsonType(type: unknown): JsonType {
  return type === Array ? 'array' : (getPrimitiveType(type) ?? 'object');
}

function getShapeTypes(shape: Shape): readonly JsonType[] | undefined {
  if (shape.kind === 'json') return shape.types;
  return shape.kind === 'list' ? ['array'] : ['object'];
}

function getClassOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return Array;
  const classes: Readonly<Record<string, unknown>> = { string: String, number: Number, boolean: Boolean };
  return classes[typeof value];
}

function nameType(type: unknown): string {
  if (type === Array) return 'an array';
  const name = typeof type === 'function' ? type.name : '';
  return PRIMITIVES.has(type) ? name.toLowerCase() : name;
}
