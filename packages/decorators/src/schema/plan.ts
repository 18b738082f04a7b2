import type { Constructor } from '../metadata/lineage.ts';
import type { JsonSchema, JsonType, JsonValue } from './json-schema.ts';
import type { Condition, PropertyRule } from './property-rule.ts';

/** Structure of a value. */
export type Shape =
  /** A value of these JSON types, or of any type. The contents of arrays and objects are free-form. */
  | { readonly kind: 'json'; readonly types: readonly JsonType[] | undefined }
  | { readonly kind: 'object'; readonly plan: Plan }
  | Union
  /** An object with arbitrary keys. */
  | { readonly kind: 'map'; readonly values: ValuePlan }
  | { readonly kind: 'list'; readonly items: ValuePlan };

/** An object of one of several classes; the value of one property selects the class. */
export interface Union {
  readonly kind: 'union';
  readonly discriminator: string;
  /** Keyed by value of the discriminator; several values may select one class. */
  readonly members: ReadonlyMap<unknown, Plan>;
}

/** How a value is read, checked and described. */
export interface ValuePlan {
  readonly shape: Shape;
  /** Length limits come first, so that a value that is too long is not checked further. */
  readonly rules: readonly PropertyRule[];
  /** The rules that check more than the type. */
  readonly refinements: readonly PropertyRule[];
  /** Unconditional length limits of an array; if one fails, the elements are not checked. */
  readonly limits: readonly PropertyRule[];
  /** JSON Schema keywords of the rules. */
  readonly keywords: JsonSchema;
}

/** How one property is read, checked and described. */
export interface PropertyPlan {
  readonly name: string;
  /** Whether the prototype has a member with this name: assigning would then call or change it. */
  readonly inherited: boolean;
  /** Whether the property must be present; if it has conditions, only while they hold. */
  readonly required: boolean;
  /** The rules apply only if all conditions hold. */
  readonly conditions: readonly Condition[];
  readonly value: ValuePlan;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly header: string | undefined;
  /** Initial value of the property in a new instance. */
  readonly initial: JsonValue | undefined;
}

/** A compiled class. */
export interface Plan {
  readonly target: Constructor;
  readonly properties: ReadonlyMap<string, PropertyPlan>;
  /** `Class.property: problem and remedy`. Nested classes have their own problems. */
  readonly problems: readonly string[];
}

/** Whether `null` is a value of the shape, and not an absent value. */
export function acceptsNull(shape: Shape): boolean {
  return shape.kind === 'json' && (shape.types === undefined || shape.types.includes('null'));
}

/** Lists the plans that a shape refers to directly. */
export function listPlans(shape: Shape): readonly Plan[] {
  switch (shape.kind) {
    case 'json':
      return [];
    case 'object':
      return [shape.plan];
    case 'union':
      return [...shape.members.values()];
    case 'map':
      return listPlans(shape.values.shape);
    case 'list':
      return listPlans(shape.items.shape);
  }
}

/** Lists all plans that the properties of a plan refer to, at any depth. Contains the plan itself only if it is recursive. */
export function listNestedPlans(plan: Plan, found: Set<Plan> = new Set()): ReadonlySet<Plan> {
  for (const { value } of plan.properties.values()) {
    for (const below of listPlans(value.shape)) {
      if (found.has(below)) continue;
      found.add(below);
      listNestedPlans(below, found);
    }
  }
  return found;
}
