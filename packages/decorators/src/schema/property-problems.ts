import { mayBe, readListedValues } from './keywords.ts';
import type { PropertyPlan, Shape } from './plan.ts';
import type { PropertyRule } from './property-rule.ts';
import type { PropertySource } from './property.ts';
import { findTypeProblems, RULES_WITHOUT_JSON } from './type-problems.ts';

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
  const instead = RULES_WITHOUT_JSON.get(name);
  return instead === undefined ? [] : [instead];
}

function findPresenceProblems({ rules }: PropertySource): readonly string[] {
  const has = (rule: string): boolean => rules.some(({ name, each }) => name === rule && !each);
  return has('isOptional') && has('isDefined') ? ['has both @IsOptional() and @IsDefined(); keep one'] : [];
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
  return format === undefined || mayBe(element, ['string', 'integer', 'number'])
    ? []
    : ['has a format, which only a string or a number may have; remove the format'];
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
