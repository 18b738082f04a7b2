import { fieldAnnotations } from '../metadata/annotation.ts';
import type { FieldOptions } from '../metadata/options.ts';
import { lineage, type Constructor } from '../metadata/lineage.ts';
import type { Plan, PropertyPlan } from './plan.ts';
import { propertyProblems } from './property-problems.ts';
import { compileProperty, type PropertySource } from './property.ts';
import { propertyRules } from './rule.ts';
import { declaredShape } from './shape.ts';

const plans = new WeakMap<Constructor, Plan>();

/** The plan of a class; made on first use and kept. */
export function planOf(target: Constructor): Plan {
  const known = plans.get(target);
  if (known !== undefined) return known;
  const properties = new Map<string, PropertyPlan>();
  const problems: string[] = [];
  const plan = { target, properties, problems };
  // Before its properties are compiled, because they may lead back to the class.
  plans.set(target, plan);
  const fields = fieldsOf(target);
  const rules = propertyRules(target);
  const initial = initialValues(target, problems);
  for (const name of inOrder([...rules.keys()], [...fields.keys()])) {
    const report = (problem: string): void => void problems.push(`${target.name}.${name}: ${problem}`);
    const field = fields.get(name) ?? {};
    const declared = declaredShape(field, { planOf, report });
    const source: PropertySource = {
      name,
      inherited: name in target.prototype,
      field,
      rules: rules.get(name) ?? [],
      declared,
      initial: initial.get(name),
    };
    const property = compileProperty(source);
    properties.set(name, property);
    propertyProblems(source, property).forEach(report);
  }
  problems.push(...unannotated(target, properties, initial));
  return plan;
}

/** The names of all properties in the order of their declaration, of which rules and `@Field` each know a part. */
function inOrder(ruled: readonly string[], described: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [...described];
  for (const name of ruled) {
    for (const earlier of waiting.splice(0, waiting.indexOf(name) + 1)) names.add(earlier);
    names.add(name);
  }
  return new Set([...names, ...waiting]);
}

/** The options of each property, a subclass's over those above it. */
function fieldsOf(target: Constructor): ReadonlyMap<string, FieldOptions> {
  const fields = new Map<string, FieldOptions>();
  for (const prototype of lineage(target)) {
    for (const [name, own] of fieldAnnotations(prototype)) fields.set(name, { ...inherited(fields.get(name), own), ...own });
  }
  return fields;
}

/** What a value is made of is said by one option, so that another one in a subclass takes its place. */
function inherited(above: FieldOptions = {}, { type, oneOf, values }: FieldOptions): FieldOptions {
  if ((type ?? oneOf ?? values) === undefined) return above;
  const { type: _, oneOf: __, values: ___, discriminator, ...rest } = above;
  return oneOf === undefined || discriminator === undefined ? rest : { ...rest, discriminator };
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
