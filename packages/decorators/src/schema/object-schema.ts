import { freeze, type JsonSchema, type JsonType, type ObjectSchema } from './json-schema.ts';
import { plansBelow, type Plan, type PropertyPlan, type Shape, type Union, type ValuePlan } from './plan.ts';

/** What is accepted (closed: unknown properties are refused), or what is sent (open, so that fields can be added later). */
export type Side = 'input' | 'output';

const schemas: Readonly<Record<Side, WeakMap<Plan, ObjectSchema>>> = { input: new WeakMap(), output: new WeakMap() };

/** JSON Schema 2020-12 of a plan; made on first use, frozen and kept. */
export function objectSchema(plan: Plan, side: Side): ObjectSchema {
  const known = schemas[side].get(plan);
  if (known !== undefined) return known;
  const schema = freeze(new Writing(side).root(plan));
  schemas[side].set(plan, schema);
  return schema;
}

/** Writes the schema of one plan; nested classes inline, those that contain themselves under `$defs`. */
class Writing {
  readonly #side: Side;
  readonly #names = new Map<Plan, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(side: Side) {
    this.#side = side;
  }

  root(plan: Plan): ObjectSchema {
    const schema = this.#object(plan);
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  #object(plan: Plan): ObjectSchema {
    const properties = [...plan.properties.values()];
    const required = properties.filter(isAlwaysRequired).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map((property) => [property.name, this.#property(property)])),
      ...(required.length > 0 && { required }),
      ...(this.#side === 'input' && { additionalProperties: false as const }),
    };
  }

  #property({ title, description, header, value, initial }: PropertyPlan): JsonSchema {
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...this.#value(value),
      ...(initial !== undefined && { default: initial }),
      ...(header !== undefined && this.#side === 'input' && { 'x-mcp-header': header }),
    };
  }

  #value({ shape, keywords }: ValuePlan): JsonSchema {
    return { ...this.#shape(shape), ...keywords };
  }

  #shape(shape: Shape): JsonSchema {
    switch (shape.kind) {
      case 'json':
        return typed(shape.types);
      case 'object':
        return this.#nested(shape.plan);
      case 'union':
        return { type: 'object', oneOf: this.#members(shape) };
      case 'map':
        return { type: 'object', additionalProperties: this.#value(shape.values) };
      case 'list':
        return { type: 'array', items: this.#value(shape.items) };
    }
  }

  /** Each member requires the discriminator: nothing is one of them without it, even where an initialiser gives it. */
  #members({ discriminator, members }: Union): JsonSchema[] {
    return [...new Set(members.values())].map((plan) => {
      const member = this.#nested(plan);
      return { ...member, required: [...new Set([discriminator, ...(member.required ?? [])])] };
    });
  }

  #nested(plan: Plan): JsonSchema {
    if (!plansBelow(plan).has(plan)) return this.#object(plan);
    const known = this.#names.get(plan);
    const name = known ?? this.#unused(plan.target.name.replaceAll(/\W/g, '_'));
    if (known === undefined) {
      this.#names.set(plan, name);
      this.#definitions[name] = this.#object(plan);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #unused(name: string): string {
    const taken = new Set(this.#names.values());
    let free = name;
    for (let position = 2; taken.has(free); position += 1) free = `${name}_${position}`;
    return free;
  }
}

function typed(types: readonly JsonType[] | undefined): JsonSchema {
  const [type, ...others] = types ?? [];
  if (type === undefined) return {};
  return { type: others.length === 0 ? type : [type, ...others] };
}

function isAlwaysRequired({ required, conditions }: PropertyPlan): boolean {
  return required && conditions.length === 0;
}
