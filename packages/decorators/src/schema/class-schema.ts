import type { Constructor } from '../metadata/lineage.ts';
import { compilePlan } from './compile-plan.ts';
import { findDefaultProblems } from './default-problems.ts';
import type { ObjectSchema } from './json-schema.ts';
import { getObjectSchema } from './object-schema.ts';
import { type Plan, listNestedPlans, listPlans } from './plan.ts';
import { readQuickly, UNSURE } from './quick-reader.ts';
import { ValueProjector } from './value-projector.ts';
import { ValueReader, type Issue, type ParseOptions } from './value-reader.ts';

/** The result of parsing: an instance, or all issues of the value. */
export type ParseResult<Instance> =
  | { readonly value: Instance; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly value?: undefined };

/**
 * The JSON Schema, the Standard Schema and the parser of a class that is annotated with class-validator rules and
 * `@Field`.
 * Can be used wherever a Standard Schema with JSON Schema is accepted.
 */
export class ClassSchema<Instance extends object = object> {
  readonly #target: Constructor<Instance>;
  #compiled: Plan | undefined;
  /** The class as Standard Schema 1, with its extension for JSON Schema. */
  readonly '~standard': StandardProperties<Instance>;

  private constructor(target: Constructor<Instance>) {
    this.#target = target;
    this['~standard'] = {
      version: 1,
      vendor: '@org/mcp-decorators',
      validate: (value) => this.parse(value),
      jsonSchema: { input: () => ({ ...this.input }), output: () => ({ ...this.output }) },
    };
  }

  /** Returns the schema of a class. The class is compiled on first use; {@link ClassSchema.problems} lists its mistakes. */
  static of<Instance extends object>(target: Constructor<Instance>): ClassSchema<Instance> {
    return new ClassSchema(target);
  }

  /** JSON Schema 2020-12 of accepted values; frozen. */
  get input(): ObjectSchema {
    return getObjectSchema(this.#plan, 'input');
  }

  /** JSON Schema 2020-12 of sent values; frozen. Its objects may have further properties. */
  get output(): ObjectSchema {
    return getObjectSchema(this.#plan, 'output');
  }

  /** Mistakes in the annotations: `Class.property: problem and remedy`. Empty for a usable class. */
  get problems(): readonly string[] {
    return findClassProblems(this.#plan);
  }

  /**
   * Returns an instance of the class, or all issues of the value: the first 50, and the number of the others in a last one.
   * `null` counts as absent unless the property accepts it. Objects and arrays may nest at most 64 levels deep.
   *
   * Throws only errors of custom validators and of the class's constructor.
   */
  parse(value: unknown, options: ParseOptions = {}): ParseResult<Instance> {
    const quick = options.strings === true ? UNSURE : readQuickly(this.#plan, value);
    if (typeof quick === 'object' && this.#isInstance(quick)) return { value: quick };
    const reading = new ValueReader(options);
    const instance = reading.read(this.#plan, value);
    return this.#isInstance(instance) ? { value: instance } : { issues: reading.issues };
  }

  /**
   * Returns a copy of the declared properties of a value, nested ones included, or all issues of the copy. The copy does not contain
   * other properties. `null` is a value: it is an issue unless the property accepts it.
   *
   * Throws only errors of custom validators and conditions.
   */
  project(value: object): ParseResult<Record<string, unknown>> {
    const projector = new ValueProjector();
    const copy = projector.project(this.#plan, value);
    const { issues } = projector;
    return issues.length === 0 ? { value: copy } : { issues };
  }

  get #plan(): Plan {
    return (this.#compiled ??= compilePlan(this.#target));
  }

  #isInstance(value: object | null | undefined): value is Instance {
    return value instanceof this.#target;
  }
}

/** Properties of the Standard Schema specification. */
interface StandardProperties<Instance> {
  /** Version of the Standard Schema specification. */
  readonly version: 1;
  /** Name of this package. */
  readonly vendor: string;
  /** Same as {@link ClassSchema.parse}. */
  readonly validate: (value: unknown) => ParseResult<Instance>;
  /** Returns copies of {@link ClassSchema.input} and {@link ClassSchema.output}. */
  readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
  /** Never present at run time; declares the types for the compiler. */
  readonly types?: { readonly input: Instance; readonly output: Instance };
}

/** Lists the mistakes in a class and its nested classes: `Class.property: problem and remedy`. */
function findClassProblems(plan: Plan): readonly string[] {
  const below = [...listNestedPlans(plan)].filter((nested) => nested !== plan);
  const plans = [plan, ...below];
  return [
    ...plans.flatMap((each) => (each.problems.length === 0 ? findDefaultProblems(each) : each.problems)),
    ...(plans.some(hasHeader) ? findHeaderProblems(plan) : []),
  ];
}

function hasHeader({ properties }: Plan): boolean {
  return [...properties.values()].some(({ header }) => header !== undefined);
}

/**
 * Finds headers with the same name, and headers of properties inside an array, map, union or recursive class: a header can
 * repeat only one value.
 */
function findHeaderProblems(root: Plan): readonly string[] {
  const problems: string[] = [];
  const reached = listPlansByName(root);
  const first = new Map<string, string>();
  for (const plan of [...reached, ...[...listNestedPlans(root)].filter((nested) => !reached.includes(nested))]) {
    for (const { name, header } of plan.properties.values()) {
      if (header === undefined) continue;
      const place = `${plan.target.name}.${name}`;
      const other = first.get(header.toLowerCase());
      if (!reached.includes(plan) || listNestedPlans(plan).has(plan))
        problems.push(`${place}: has a header, but is in an array, a map, a union or a recursive class; remove the header`);
      else if (other !== undefined)
        problems.push(`${place}: the header "${header}" is already used by ${other}; rename one of the two`);
      else first.set(header.toLowerCase(), place);
    }
  }
  return problems;
}

/** Lists the plans that are reached through single objects, once for each path to them. */
function listPlansByName(plan: Plan): readonly Plan[] {
  if (listNestedPlans(plan).has(plan)) return [plan];
  const objects = [...plan.properties.values()].flatMap(({ value: { shape } }) =>
    shape.kind === 'object' ? listPlans(shape) : [],
  );
  return [plan, ...objects.flatMap(listPlansByName)];
}
