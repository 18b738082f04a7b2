import { mayBe, readListedValues } from './keywords.ts';
import type { PropertyPlan, Shape } from './plan.ts';
import type { PropertyRule } from './property-rule.ts';
import { intersectTypes, splitRules, type PropertySource } from './property.ts';

type Demand = Pick<PropertyRule, 'types'>;

const NEST = 'use @ValidateNested() and @Field({ type: () => Dto }) instead';
const TIME = 'use @IsString() and @IsISO8601() instead';

/** Rules for values that JSON cannot represent, with their replacements. */
const NOT_JSON: ReadonlyMap<string, string> = new Map([
  ['isDate', `@IsDate() requires a value that JSON cannot represent; ${TIME}`],
  ['minDate', `@MinDate() requires a value that JSON cannot represent; ${TIME}`],
  ['maxDate', `@MaxDate() requires a value that JSON cannot represent; ${TIME}`],
  ['isInstance', `@IsInstance() requires a value that JSON cannot represent; ${NEST}`],
  ['promiseValidation', `@ValidatePromise() requires a value that JSON cannot represent; ${NEST}`],
]);

const TYPELESS = 'has no type; add a rule of class-validator, such as @IsString()';
const TYPELESS_ELEMENTS =
  "is an array without element type; add a rule such as @IsString({ each: true }), or @Field('…', { type: () => Dto })";

/** Token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Lists the mistakes in the annotations of a property, with remedies. */
export function findPropertyProblems(source: PropertySource, property: PropertyPlan): readonly string[] {
  const { shape } = property.value;
  const element = shape.kind === 'list' ? shape.items.shape : shape;
  return [
    ...source.rules.flatMap(findRuleProblems),
    ...findPresenceProblems(source),
    ...findTypeProblems(source, shape, element),
    ...findTitleProblems(source),
    ...findFormatProblems(source, element),
    ...findHeaderProblems(property.header, shape),
  ];
}

function findRuleProblems({ name, async, unregistered }: PropertyRule): readonly string[] {
  if (async) return [`the validator ${name} is asynchronous, which is not supported; check it in the method`];
  if (unregistered !== undefined) return [`the validator ${unregistered} is not registered; add @ValidatorConstraint() to it`];
  const instead = NOT_JSON.get(name);
  return instead === undefined ? [] : [instead];
}

function findPresenceProblems({ rules }: PropertySource): readonly string[] {
  const has = (rule: string): boolean => rules.some(({ name, each }) => name === rule && !each);
  return has('isOptional') && has('isDefined') ? ['has both @IsOptional() and @IsDefined(); keep one'] : [];
}

function findTypeProblems(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  const { list, own, items } = splitRules(source.rules);
  return [
    ...findConflicts([...(list ? items : own), ...getDemand(source.declared)]),
    ...(list ? findConflicts([...own, { types: ['array'] }]) : []),
    ...findMissingTypes(source, shape, element),
  ];
}

function findMissingTypes(source: PropertySource, shape: Shape, element: Shape): readonly string[] {
  if (lacksNestedClass(source)) return ["@ValidateNested() needs the class: @Field('…', { type: () => Dto })"];
  return isTypeless(source, element) ? [shape.kind === 'list' ? TYPELESS_ELEMENTS : TYPELESS] : [];
}

function lacksNestedClass({ field: { type, oneOf, values }, rules }: PropertySource): boolean {
  return (type ?? oneOf ?? values) === undefined && rules.some(({ name }) => name === 'nestedValidation');
}

function isTypeless({ declared, rules }: PropertySource, element: Shape): boolean {
  if (declared !== undefined || rules.some(({ name }) => NOT_JSON.has(name))) return false;
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

function findTitleProblems({ field: { titles }, rules }: PropertySource): readonly string[] {
  if (titles === undefined) return [];
  const values = rules.flatMap(({ keywords }) => keywords).flatMap((part) => readListedValues(part) ?? []);
  if (values.length === 0) return ['has titles, but no listed values; add @IsIn() or @IsEnum()'];
  const known = new Set(values.map(String));
  const surplus = Object.keys(titles).filter((value) => !known.has(value));
  return surplus.map((value) => `has a title for "${value}", which is not one of its values; remove the title`);
}

function findFormatProblems({ field: { format } }: PropertySource, element: Shape): readonly string[] {
  return format === undefined || mayBe(element, ['string'])
    ? []
    : ['has a format, which only a string may have; remove the format'];
}

function findHeaderProblems(header: string | undefined, shape: Shape): readonly string[] {
  if (header === undefined) return [];
  const [type, ...others] = (shape.kind === 'json' && shape.types) || [];
  const fits = others.length === 0 && (type === 'string' || type === 'integer' || type === 'boolean');
  return [
    ...(fits ? [] : ['has a header, which only a string, an integer or a boolean may have; remove the header']),
    ...(TOKEN.test(header) ? [] : [`"${header}" is not a valid header name; use letters, digits and any of !#$%&'*+-.^_\`|~`]),
  ];
}
