import { completionAnnotations, featureAnnotations, memberAnnotations } from '../metadata/annotation.ts';
import { classNameOf, classOf, isConstructor, lineage, type Constructor } from '../metadata/lineage.ts';
import { emittedType } from '../metadata/slot.ts';
import { describeType } from '../schema/json-schema.ts';
import { isErased } from './member.ts';
import type { Problems } from './problems.ts';

/** A class whose annotated methods belong to a server, with the features it holds. */
export interface Composite {
  readonly target: Constructor;
  /** The properties that lead to its object from the server object, which has none. */
  readonly owner: readonly string[];
  /** In the order of their properties, base first. */
  readonly features: readonly Composite[];
}

/** A property that holds a feature, as the lineage of its class declares it. */
interface FeatureProperty {
  readonly name: string;
  /** What the leaf-most class knows of what it holds; nothing where it was erased. */
  readonly declared: unknown;
  /** `Class.property` of the leaf-most decorator, for messages. */
  readonly place: string;
}

/** A class, or an object of it, on the way down from the server. */
interface Holder extends Omit<Composite, 'features'> {
  readonly object: object | undefined;
  /** The classes or objects that hold it, itself included. */
  readonly above: readonly object[];
}

/** A class with the features that it declares or, if there is an object of it, that the object really holds. */
export function compositeOf(target: Constructor, object: object | undefined, problems: Problems): Composite {
  return composed({ target, object, owner: [], above: [object ?? target] }, problems);
}

/** Whether objects of a class differ in what they serve. */
export function hasFeatures(target: Constructor): boolean {
  return featureProperties(target).length > 0;
}

/** A composite and everything in it. */
export function flatten(composite: Composite): readonly Composite[] {
  return [composite, ...composite.features.flatMap(flatten)];
}

function composed({ target, object, owner, above }: Holder, problems: Problems): Composite {
  const features = featureProperties(target).flatMap((property) => {
    const held = object === undefined ? declaredBy(property) : heldBy(object, property);
    const problem = typeof held === 'string' ? held : problemOf(held, above);
    if (typeof held === 'string' || problem !== undefined) {
      problems.push(`${property.place}: ${problem}`);
      return [];
    }
    return [composed({ ...held, owner: [...owner, property.name], above: [...above, held.object ?? held.target] }, problems)];
  });
  return { target, owner, features };
}

function featureProperties(target: Constructor): readonly FeatureProperty[] {
  const properties = new Map<string, FeatureProperty>();
  for (const prototype of lineage(target)) {
    for (const [name, { type }] of featureAnnotations(prototype)) {
      const own: unknown = type === undefined ? emittedType(prototype, name) : type();
      const declared = isErased(own) ? properties.get(name)?.declared : own;
      properties.set(name, { name, declared, place: `${classNameOf(prototype)}.${name}` });
    }
  }
  return [...properties.values()];
}

type Held = Pick<Holder, 'target' | 'object'>;

/** The class of a feature, or what is wrong with it. */
function declaredBy({ declared }: FeatureProperty): Held | string {
  if (isConstructor(declared) && !isErased(declared)) return { target: declared, object: undefined };
  return (
    'the class of the feature is not known at run time; declare it as the type of the property or give it as ' +
    '@Feature({ type: () => Search }), import it as a value, not with "import type", and compile with "emitDecoratorMetadata": true'
  );
}

/** The object that a property holds, or what is wrong with it. */
function heldBy(object: object, { name }: FeatureProperty): Held | string {
  const held: unknown = Reflect.get(object, name);
  if (held === undefined || held === null) return 'holds nothing; assign the feature in the constructor';
  if (typeof held !== 'object') return `holds ${describeType(held)}; a feature is an object`;
  const target = classOf(held);
  return target === undefined
    ? 'holds an object of no class; a feature is an object with annotated methods'
    : { target, object: held };
}

function problemOf({ target, object }: Held, above: readonly object[]): string | undefined {
  if (above.includes(object ?? target)) return `holds ${target.name} again, which holds it: features cannot go in a circle`;
  return isAnnotated(target) ? undefined : `holds ${target.name}, which has no annotated method`;
}

function isAnnotated(target: Constructor): boolean {
  return lineage(target).some((prototype) =>
    [memberAnnotations(prototype), completionAnnotations(prototype), featureAnnotations(prototype)].some(({ size }) => size > 0),
  );
}
