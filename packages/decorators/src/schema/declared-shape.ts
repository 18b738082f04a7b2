import type { Constructor } from '../metadata/lineage.ts';
import type { FieldOptions } from '../metadata/options.ts';
import type { JsonType, JsonTypes } from './json-schema.ts';
import { readListedValues } from './keywords.ts';
import type { Plan, Shape } from './plan.ts';
import { readRules } from './property-rule.ts';

/** Functions for reading the shapes of nested classes. */
export interface ShapeSource {
  readonly compilePlan: (target: Constructor) => Plan;
  /** Receives mistakes in the options. */
  readonly report: (problem: string) => void;
}

/**
 * Returns the shape that `@Field` declares for a value, or for the elements of an array. Returns `undefined` if only the rules
 * define it.
 */
export function readDeclaredShape(field: FieldOptions, source: ShapeSource): Shape | undefined {
  const { type, oneOf, values, discriminator } = field;
  const given = Object.entries({ type, oneOf, values }).flatMap(([name, option]) => (option === undefined ? [] : [name]));
  if (given.length > 1) source.report(`has ${given.join(' and ')} together; keep one`);
  if (discriminator !== undefined && oneOf === undefined)
    source.report(`has a discriminator but no oneOf; add oneOf: () => [A, B], or remove the discriminator`);
  if (oneOf !== undefined) return readUnion(oneOf, discriminator, source);
  if (values !== undefined)
    return { kind: 'map', values: { shape: readSingle(values, source), rules: [], refinements: [], limits: [], keywords: {} } };
  return type === undefined ? undefined : readSingle(type, source);
}

function readSingle(type: (() => Constructor) | JsonTypes, source: ShapeSource): Shape {
  if (typeof type !== 'function') return { kind: 'json', types: toTypes(type) };
  const target = callOrUndefined(type);
  if (isClass(target)) return { kind: 'object', plan: source.compilePlan(target) };
  source.report('its class is not defined yet; break the import cycle, or move the class up');
  return { kind: 'json', types: ['object'] };
}

function toTypes(types: JsonTypes): readonly JsonType[] | undefined {
  if (types === 'any') return undefined;
  return typeof types === 'string' ? [types] : types;
}

function readUnion(oneOf: () => readonly Constructor[], discriminator: string | undefined, source: ShapeSource): Shape {
  const targets = callOrUndefined(oneOf);
  if (!Array.isArray(targets) || targets.length === 0 || !targets.every(isClass)) {
    source.report('its oneOf returns no classes; break the import cycle, or write oneOf: () => [A, B]');
    return { kind: 'json', types: ['object'] };
  }
  if (discriminator === undefined) source.report("is a union without discriminator; add discriminator: 'kind'");
  return { kind: 'union', discriminator: discriminator ?? '', members: readMembers(targets, discriminator, source) };
}

function readMembers(
  targets: readonly Constructor[],
  discriminator: string | undefined,
  { compilePlan, report }: ShapeSource,
): ReadonlyMap<unknown, Plan> {
  const members = new Map<unknown, Plan>();
  for (const target of targets) {
    const plan = compilePlan(target);
    const pins = discriminator === undefined ? [] : readPins(target, discriminator);
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

/** Returns the values that a class pins a property to. Reads the rules of the class, because its plan may be incomplete. */
function readPins(target: Constructor, property: string): readonly unknown[] {
  const rules = (readRules(target).get(property) ?? []).filter(({ each }) => !each);
  const keywords = rules.flatMap((rule) => rule.keywords);
  return keywords.map(readListedValues).find((values) => values !== undefined) ?? [];
}

/** Returns the result of a function, or `undefined` if the function refers to a class that is not defined yet. */
function callOrUndefined<Given>(thunk: () => Given): Given | undefined {
  try {
    return thunk();
  } catch {
    return undefined;
  }
}

function isClass(target: unknown): target is Constructor {
  return typeof target === 'function' && typeof target.prototype === 'object';
}
