import { listedValues, mayBe } from './keywords.ts';
import type { PropertyPlan, Shape } from './plan.ts';
import { commonTypes, rolesOf, type PropertySource } from './property.ts';
import type { PropertyRule } from './rule.ts';

type Demand = Pick<PropertyRule, 'types'>;

const NEST = 'use @ValidateNested() and @Field({ type: () => Dto }) instead';
const TIME = 'use @IsString() and @IsISO8601() instead';

/** Rules whose values JSON does not have, and what to write in their place. */
const NOT_JSON: ReadonlyMap<string, string> = new Map([
  ['isDate', `@IsDate() wants what is not JSON; ${TIME}`],
  ['minDate', `@MinDate() wants what is not JSON; ${TIME}`],
  ['maxDate', `@MaxDate() wants what is not JSON; ${TIME}`],
  ['isInstance', `@IsInstance() wants what is not JSON; ${NEST}`],
  ['promiseValidation', `@ValidatePromise() wants what is not JSON; ${NEST}`],
]);

const TYPELESS = 'has no type; add a rule of class-validator, such as @IsString()';
const TYPELESS_ELEMENTS =
  "is an array without element type; add a rule such as @IsString({ each: true }), or @Field('…', { type: () => Dto })";

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** What is wrong with the annotations of a property, and the remedies. */
export function propertyProblems(source: PropertySource, property: PropertyPlan): readonly string[] {
  const { shape } = property.value;
  const element = shape.kind === 'list' ? shape.items.shape : shape;
  return [
    ...source.rules.flatMap(ruleProblems),
    ...presenceProblems(source),
    ...typeProblems(source, shape, element),
    ...titleProblems(source),
    ...formatProblems(source, element),
    ...headerProblems(property.header, shape),
  ];
}

function ruleProblems({ name, async, unregistered }: PropertyRule): readonly string[] {
  if (async) return [`the validator ${name} is asynchronous, which is not supported; check it in the method`];
  if (unregistered !== undefined)
    return [`class-validator does not know the validator ${unregistered}; put @ValidatorConstraint() on it`];
  const instead = NOT_JSON.get(name);
  return instead === undefined ? [] : [instead];
}

function presenceProblems({ rules }: PropertySource): readonly string[] {
  const has = (rule: string): boolean => rules.some(({ name, each }) => name === rule && !each);
  return has('isOptional') && has('isDefined') ? ['is both @IsOptional() and @IsDefined(); keep one'] : [];
}

function typeProblems(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  const { list, own, items } = rolesOf(source.rules);
  return [
    ...conflicts([...(list ? items : own), ...demandOf(source.declared)]),
    ...(list ? conflicts([...own, { types: ['array'] }]) : []),
    ...missingTypeProblems(source, shape, element),
  ];
}

function missingTypeProblems(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  if (nestsNothing(source)) return ["@ValidateNested() needs the class: @Field('…', { type: () => Dto })"];
  return isTypeless(source, element) ? [shape.kind === 'list' ? TYPELESS_ELEMENTS : TYPELESS] : [];
}

function nestsNothing({ field: { type, oneOf, values }, rules }: PropertySource): boolean {
  return (type ?? oneOf ?? values) === undefined && rules.some(({ name }) => name === 'nestedValidation');
}

function isTypeless({ declared, rules }: PropertySource, element: Shape): boolean {
  if (declared !== undefined || rules.some(({ name }) => NOT_JSON.has(name))) return false;
  return element.kind === 'json' && element.types === undefined;
}

function demandOf(declared: Shape | undefined): readonly Demand[] {
  if (declared === undefined) return [];
  return [declared.kind === 'json' ? declared : { types: ['object'] }];
}

function conflicts(demands: readonly Demand[]): readonly string[] {
  if (commonTypes(demands)?.length !== 0) return [];
  const types = new Set(demands.flatMap((demand) => demand.types ?? []));
  return [`conflicting types ${[...types].join(' and ')}; keep the rules of one`];
}

function titleProblems({ field: { titles }, rules }: PropertySource): readonly string[] {
  if (titles === undefined) return [];
  const values = rules.flatMap(({ keywords }) => keywords).flatMap((part) => listedValues(part) ?? []);
  if (values.length === 0) return ['has titles, but no values to give them to; add @IsIn() or @IsEnum()'];
  const known = new Set(values.map(String));
  const surplus = Object.keys(titles).filter((value) => !known.has(value));
  return surplus.map((value) => `has a title for "${value}", which is none of its values; take it out`);
}

function formatProblems({ field: { format } }: PropertySource, element: Shape): readonly string[] {
  return format === undefined || mayBe(element, ['string']) ? [] : ['has a format, which only a string may have; take it out'];
}

function headerProblems(header: string | undefined, shape: Shape): readonly string[] {
  if (header === undefined) return [];
  const [type, ...others] = (shape.kind === 'json' && shape.types) || [];
  const fits = others.length === 0 && (type === 'string' || type === 'integer' || type === 'boolean');
  return [
    ...(fits ? [] : ['has a header, which only a string, an integer or a boolean may have; take it out']),
    ...(TOKEN.test(header) ? [] : [`"${header}" is not the name of a header; use letters, digits and any of !#$%&'*+-.^_\`|~`]),
  ];
}
