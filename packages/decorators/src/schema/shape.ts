import type { FieldOptions } from '../metadata/options.ts';
import type { Constructor } from '../metadata/lineage.ts';
import type { JsonType, JsonTypes } from './json-schema.ts';
import { listedValues } from './keywords.ts';
import type { Plan, Shape } from './plan.ts';
import { propertyRules } from './rule.ts';

/** What shapes are made with, where classes nest. */
export interface ShapeSource {
  readonly planOf: (target: Constructor) => Plan;
  /** Told what is wrong with the options and the remedy. */
  readonly report: (problem: string) => void;
}

/** What `@Field` says of a value, or of an array's elements; `undefined` if that is left to the rules. */
export function declaredShape(field: FieldOptions, source: ShapeSource): Shape | undefined {
  const { type, oneOf, values, discriminator } = field;
  const given = Object.entries({ type, oneOf, values }).flatMap(([name, option]) => (option === undefined ? [] : [name]));
  if (given.length > 1) source.report(`has ${given.join(' and ')} together; keep one`);
  if (discriminator !== undefined && oneOf === undefined)
    source.report(`has a discriminator for no union; add oneOf: () => [A, B], or leave it out`);
  if (oneOf !== undefined) return union(oneOf, discriminator, source);
  if (values !== undefined)
    return { kind: 'map', values: { shape: single(values, source), rules: [], limits: [], keywords: {} } };
  return type === undefined ? undefined : single(type, source);
}

function single(type: (() => Constructor) | JsonTypes, source: ShapeSource): Shape {
  if (typeof type !== 'function') return { kind: 'json', types: typesOf(type) };
  const target = called(type);
  if (isClass(target)) return { kind: 'object', plan: source.planOf(target) };
  source.report('its class is not there yet; break the import cycle, or move the class up');
  return { kind: 'json', types: ['object'] };
}

function typesOf(types: JsonTypes): readonly JsonType[] | undefined {
  if (types === 'any') return undefined;
  return typeof types === 'string' ? [types] : types;
}

function union(oneOf: () => readonly Constructor[], discriminator: string | undefined, source: ShapeSource): Shape {
  const targets = called(oneOf);
  if (!Array.isArray(targets) || targets.length === 0 || !targets.every(isClass)) {
    source.report('its oneOf gives no classes; break the import cycle, or write oneOf: () => [A, B]');
    return { kind: 'json', types: ['object'] };
  }
  if (discriminator === undefined) source.report("is a union without discriminator; add discriminator: 'kind'");
  return { kind: 'union', discriminator: discriminator ?? '', members: membersOf(targets, discriminator, source) };
}

function membersOf(
  targets: readonly Constructor[],
  discriminator: string | undefined,
  { planOf, report }: ShapeSource,
): ReadonlyMap<unknown, Plan> {
  const members = new Map<unknown, Plan>();
  for (const target of targets) {
    const plan = planOf(target);
    const pins = discriminator === undefined ? [] : pinsOf(target, discriminator);
    if (discriminator !== undefined && pins.length === 0)
      report(`${target.name} does not pin the discriminator; put @Equals('…') on ${target.name}.${discriminator}`);
    for (const pin of pins) {
      const other = members.get(pin);
      if (other !== undefined)
        report(
          `${other.target.name} and ${target.name} both have the ${String(discriminator)} ${JSON.stringify(pin)}; give each its own`,
        );
      members.set(pin, plan);
    }
  }
  return members;
}

/** The values to which a class pins a property; read from its rules, because its plan may be under way. */
function pinsOf(target: Constructor, property: string): readonly unknown[] {
  const rules = (propertyRules(target).get(property) ?? []).filter(({ each }) => !each);
  const keywords = rules.flatMap((rule) => rule.keywords);
  return keywords.map(listedValues).find((values) => values !== undefined) ?? [];
}

/** What a function of the class's gives; nothing if the class it names is still to be made. */
function called<Given>(thunk: () => Given): Given | undefined {
  try {
    return thunk();
  } catch {
    return undefined;
  }
}

function isClass(target: unknown): target is Constructor {
  return typeof target === 'function' && typeof target.prototype === 'object';
}
