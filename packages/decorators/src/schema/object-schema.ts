import { freeze, type JsonSchema, type JsonType, type ObjectSchema } from './json-schema.ts';
import { listNestedPlans, type Plan, type PropertyPlan, type Shape, type Union, type ValuePlan } from './plan.ts';

/** `input`: what is accepted; rejects unknown properties. `output`: what is sent; open, so that fields can be added later. */
export type Side = 'input' | 'output';

const schemas: Readonly<Record<Side, WeakMap<Plan, ObjectSchema>>> = { input: new WeakMap(), output: new WeakMap() };

/** Returns the JSON Schema 2020-12 of a plan; created on first use, frozen and kept. */
export function getObjectSchema(plan: Plan, side: Side): ObjectSchema {
  const known = schemas[side].get(plan);
  if (known !== undefined) return known;
  const schema = freeze(new SchemaWriter(side).writeRoot(plan));
  schemas[side].set(plan, schema);
  return schema;
}

/** Writes the schema of one plan: nested classes inline, recursive classes under `$defs`. */
class SchemaWriter {
  readonly #side: Side;
  readonly #names = new Map<Plan, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(side: Side) {
    this.#side = side;
  }

  writeRoot(plan: Plan): ObjectSchema {
    const schema = this.#writeObject(plan);
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#definitions };
  }

  #writeObject(plan: Plan): ObjectSchema {
    const properties = [...plan.properties.values()];
    const required = properties.filter(isAlwaysRequired).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map((property) => [property.name, this.#writeProperty(property)])),
      ...(required.length > 0 && { required }),
      ...(this.#side === 'input' && { additionalProperties: false as const }),
    };
  }

  #writeProperty({ title, description, header, value, initial }: PropertyPlan): JsonSchema {
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...this.#writeValue(value),
      ...(initial !== undefined && { default: initial }),
      ...(header !== undefined && this.#side === 'input' && { 'x-mcp-header': header }),
    };
  }

  #writeValue({ shape, keywords }: ValuePlan): JsonSchema {
    // Listed values of several types get only `enum`, without `anyOf` for the types: some clients read only one of these
    // keywords.
    const isEvident = keywords.enum !== undefined && shape.kind === 'json' && (shape.types ?? []).length > 1;
    return isEvident ? keywords : { ...this.#writeShape(shape), ...keywords };
  }

  #writeShape(shape: Shape): JsonSchema {
    switch (shape.kind) {
      case 'json':
        return writeTypes(shape.types);
      case 'object':
        return this.#writeNested(shape.plan);
      case 'union':
        return { type: 'object', oneOf: this.#writeMembers(shape) };
      case 'map':
        return { type: 'object', additionalProperties: this.#writeValue(shape.values) };
      case 'list':
        return { type: 'array', items: this.#writeValue(shape.items) };
    }
  }

  /**
   * Writes the members of a union. Every member requires the discriminator, even if it has an initial value: no value matches
   * a member without it.
   */
  #writeMembers({ discriminator, members }: Union): JsonSchema[] {
    return [...new Set(members.values())].map((plan) => {
      const member = this.#writeNested(plan);
      return { ...member, required: [...new Set([discriminator, ...(member.required ?? [])])] };
    });
  }

  #writeNested(plan: Plan): JsonSchema {
    if (!listNestedPlans(plan).has(plan)) return this.#writeObject(plan);
    const known = this.#names.get(plan);
    const name = known ?? this.#pickUnusedName(plan.target.name.replaceAll(/\W/g, '_'));
    if (known === undefined) {
      this.#names.set(plan, name);
      this.#definitions[name] = this.#writeObject(plan);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #pickUnusedName(name: string): string {
    const taken = new Set(this.#names.values());
    let free = name;
    for (let position = 2; taken.has(free); position += 1) free = `${name}_${position}`;
    return free;
  }
}

/** Writes several types as alternatives, because some clients accept only one type as the value of `type`. */
function writeTypes(types: readonly JsonType[] | undefined): JsonSchema {
  const [type, ...others] = types ?? [];
  if (type === undefined) return {};
  return others.length === 0 ? { type } : { anyOf: [type, ...others].map((each) => ({ type: each })) };
}

function isAlwaysRequired({ required, conditions }: PropertyPlan): boolean {
  return required && conditions.length === 0;
}
