import { readFieldAnnotations } from '../metadata/annotation.ts';
import { getLineage, type Constructor } from '../metadata/lineage.ts';
import type { FieldOptions } from '../metadata/options.ts';
import { readDeclaredShape } from './declared-shape.ts';
import { readDeclaredType } from './declared-type.ts';
import type { Plan, PropertyPlan } from './plan.ts';
import { findPropertyProblems } from './property-problems.ts';
import { readRules } from './property-rule.ts';
import { compileProperty, type PropertySource } from './property.ts';

const plans = new WeakMap<Constructor, Plan>();

/** Finds mistakes in annotations: `Class.property: problem and remedy`. */
type Check = () => readonly string[];

/** Compiles the plan of a class on first use, and keeps it. */
export function compilePlan(target: Constructor): Plan {
  const known = plans.get(target);
  if (known !== undefined) return known;
  const properties = new Map<string, PropertyPlan>();
  const checks: Check[] = [];
  let problems: readonly string[] | undefined;
  const plan: Plan = {
    target,
    properties,
    // The problems are found on first use, because a server that is known to compile does not read them.
    get problems() {
      return (problems ??= checks.flatMap((check) => check()));
    },
  };
  // The plan is stored before its properties are compiled, because a property may refer to the class itself.
  plans.set(target, plan);
  const fields = mergeFields(target);
  const rules = readRules(target);
  const initial = readInitialValues(target, checks);
  for (const name of mergeOrder([...rules.keys()], [...fields.keys()])) {
    const field = fields.get(name) ?? {};
    const mistakes: string[] = [];
    const source: PropertySource = {
      name,
      inherited: name in target.prototype,
      field,
      rules: rules.get(name) ?? [],
      declared: readDeclaredShape(field, { compilePlan, report: (mistake) => void mistakes.push(mistake) }),
      type: readDeclaredType(target, name),
      initial: initial.get(name),
    };
    const property = compileProperty(source);
    properties.set(name, property);
    checks.push(() =>
      [...mistakes, ...findPropertyProblems(source, property)].map((problem) => `${target.name}.${name}: ${problem}`),
    );
  }
  checks.push(() => findUnannotated(target, properties, initial));
  return plan;
}

/** Lists all properties in order of declaration. Rules and `@Field` each know only a part of them. */
function mergeOrder(ruled: readonly string[], described: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [...described];
  for (const name of ruled) {
    for (const earlier of waiting.splice(0, waiting.indexOf(name) + 1)) names.add(earlier);
    names.add(name);
  }
  return new Set([...names, ...waiting]);
}

/** Merges the options of each property, a subclass over its base classes. */
function mergeFields(target: Constructor): ReadonlyMap<string, FieldOptions> {
  const fields = new Map<string, FieldOptions>();
  for (const prototype of getLineage(target)) {
    for (const [name, own] of readFieldAnnotations(prototype))
      fields.set(name, { ...inheritOptions(fields.get(name), own), ...own });
  }
  return fields;
}

/**
 * Returns the options that a property inherits. `type`, `oneOf` and `values` exclude each other, so any of them in a subclass
 * replaces all inherited ones.
 */
function inheritOptions(above: FieldOptions = {}, { type, oneOf, values }: FieldOptions): FieldOptions {
  if ((type ?? oneOf ?? values) === undefined) return above;
  const { type: _, oneOf: __, values: ___, discriminator, ...rest } = above;
  return oneOf === undefined || discriminator === undefined ? rest : { ...rest, discriminator };
}

/** Finds fields of an instance without any annotation: input would reject them as unknown, and output would never send them. */
function findUnannotated(
  target: Constructor,
  properties: ReadonlyMap<string, PropertyPlan>,
  initial: ReadonlyMap<string, unknown>,
): readonly string[] {
  if (properties.size === 0) return [`${target.name}: has no annotated property; add @Field and a rule of class-validator`];
  const missing = [...initial.keys()].filter((name) => !properties.has(name));
  return missing.map((name) => `${target.name}.${name}: has no annotation; add @Field or a rule of class-validator`);
}

/** Returns the initial values of an instance, which are the defaults. Adds a check if the class cannot be instantiated. */
function readInitialValues(target: Constructor, checks: Check[]): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(new target()));
  } catch {
    const problem = `${target.name}: cannot be instantiated without arguments; remove the parameters of its constructor`;
    checks.push(() => [problem]);
    return new Map();
  }
}
