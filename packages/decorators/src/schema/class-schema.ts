import type { Constructor } from '../metadata/lineage.ts';
import { planOf } from './compile-plan.ts';
import { Reading, type Issue, type ReadingOptions } from './instantiate.ts';
import type { ObjectSchema } from './json-schema.ts';
import { objectSchema } from './object-schema.ts';
import type { Plan } from './plan.ts';
import { problemsOf } from './problems.ts';
import { project } from './project.ts';

/** An instance, or everything that is wrong with the value. */
export type Parsed<Instance> =
  | { readonly value: Instance; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly value?: undefined };

/**
 * A class annotated with class-validator rules and `@Field`, as JSON Schema, as Standard Schema and as a parser.
 *
 * It is taken as it is wherever a Standard Schema with JSON Schema is.
 */
export class ClassSchema<Instance extends object = object> {
  readonly #target: Constructor<Instance>;
  /** The same as Standard Schema 1 has it, with its extension for JSON Schema. */
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

  /** The schema of a class, compiled on first use; mistakes in the class are in {@link ClassSchema.problems}. */
  static of<Instance extends object>(target: Constructor<Instance>): ClassSchema<Instance> {
    return new ClassSchema(target);
  }

  /** JSON Schema 2020-12 of what is accepted; frozen. */
  get input(): ObjectSchema {
    return objectSchema(this.#plan, 'input');
  }

  /** JSON Schema 2020-12 of what is sent; frozen, open at its root. */
  get output(): ObjectSchema {
    return objectSchema(this.#plan, 'output');
  }

  /** `Class.property: what is wrong with its annotations and the remedy`; empty for a usable class. */
  get problems(): readonly string[] {
    return problemsOf(this.#plan);
  }

  /**
   * An instance of the class if the value is valid, else all issues: the first 50 named, the others counted in a last one. `null`
   * counts as absent, unless the property takes it; objects and arrays nest at most 64 levels deep.
   *
   * Throws only what a validator or the constructor of the class's own throws.
   */
  parse(value: unknown, options: ReadingOptions = {}): Parsed<Instance> {
    const reading = new Reading(options);
    const instance = reading.instance(this.#plan, value);
    return this.#isInstance(instance) ? { value: instance } : { issues: reading.issues };
  }

  /** The declared properties of a value, of nested objects too; everything else stays behind. */
  project(value: object): Record<string, unknown> {
    return project(this.#plan, value);
  }

  get #plan(): Plan {
    return planOf(this.#target);
  }

  #isInstance(value: object | undefined): value is Instance {
    return value instanceof this.#target;
  }
}

/** What a Standard Schema of a class says of itself. */
interface StandardProperties<Instance> {
  /** Of the Standard Schema specification. */
  readonly version: 1;
  /** This package. */
  readonly vendor: string;
  /** As {@link ClassSchema.parse}. */
  readonly validate: (value: unknown) => Parsed<Instance>;
  /** {@link ClassSchema.input} and {@link ClassSchema.output}, each time as a copy of their root. */
  readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
  /** Never there; for the compiler alone. */
  readonly types?: { readonly input: Instance; readonly output: Instance };
}
