import type { Constructor } from '../metadata/lineage.ts';
import type { JsonSchema, JsonType, JsonValue } from './json-schema.ts';
import type { Condition, PropertyRule } from './rule.ts';

/** What a value is made of. */
export type Shape =
  /** A value of these JSON types, or of any; arrays and objects are free of form. */
  | { readonly kind: 'json'; readonly types: readonly JsonType[] | undefined }
  | { readonly kind: 'object'; readonly plan: Plan }
  | Union
  /** An object with arbitrary keys. */
  | { readonly kind: 'map'; readonly values: ValuePlan }
  | { readonly kind: 'list'; readonly items: ValuePlan };

/** An object of one of several classes, told apart by the value of one property. */
export interface Union {
  readonly kind: 'union';
  readonly discriminator: string;
  /** By value of the discriminator; one class may have several. */
  readonly members: ReadonlyMap<unknown, Plan>;
}

/** How a value is read, checked and described. */
export interface ValuePlan {
  readonly shape: Shape;
  /** Limits of length first, so that what is too long is not looked at any further. */
  readonly rules: readonly PropertyRule[];
  /** Of an array: the limits that always hold. What is too long is not worth a look at each of its elements. */
  readonly limits: readonly PropertyRule[];
  /** What JSON Schema can say of the rules. */
  readonly keywords: JsonSchema;
}

/** How one property is read, checked and described. */
export interface PropertyPlan {
  readonly name: string;
  /** The prototype has a member of that name, which would take what is assigned. */
  readonly inherited: boolean;
  /** The property must be there; if it has conditions, only where they hold. */
  readonly required: boolean;
  /** The rules hold only where all of these do. */
  readonly conditions: readonly Condition[];
  readonly value: ValuePlan;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly header: string | undefined;
  /** What an initialiser gives. */
  readonly initial: JsonValue | undefined;
}

/** A class, compiled once. */
export interface Plan {
  readonly target: Constructor;
  readonly properties: ReadonlyMap<string, PropertyPlan>;
  /** `Class.property: what is wrong and the remedy`; those of nested classes are in their own plans. */
  readonly problems: readonly string[];
}

/** The plans that a shape leads to. */
export function plansIn(shape: Shape): readonly Plan[] {
  switch (shape.kind) {
    case 'json':
      return [];
    case 'object':
      return [shape.plan];
    case 'union':
      return [...shape.members.values()];
    case 'map':
      return plansIn(shape.values.shape);
    case 'list':
      return plansIn(shape.items.shape);
  }
}

/** All plans that the properties of a plan lead to, however deep; the plan itself only if it is recursive. */
export function plansBelow(plan: Plan, found: Set<Plan> = new Set()): ReadonlySet<Plan> {
  for (const { value } of plan.properties.values()) {
    for (const below of plansIn(value.shape)) {
      if (found.has(below)) continue;
      found.add(below);
      plansBelow(below, found);
    }
  }
  return found;
}
