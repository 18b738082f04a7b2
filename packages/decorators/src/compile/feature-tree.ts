import { readCompletionAnnotations, readFeatureAnnotations, readMemberAnnotations } from '../metadata/annotation.ts';
import { getClass, getClassName, getLineage, isConstructor, type Constructor } from '../metadata/lineage.ts';
import { readEmittedType } from '../metadata/slot.ts';
import { describeType } from '../schema/json-schema.ts';
import { isErased } from './member.ts';
import type { Problems } from './problems.ts';

/**
 * A class with annotated methods, and the trees of its features. A feature is an object in a property with `@Feature()`; its
 * class has annotated methods, too.
 */
export interface FeatureTree {
  readonly target: Constructor;
  /** Property names from the server object to the object of this class. Empty for the server object. */
  readonly owner: readonly string[];
  /** Features in order of declaration, those of base classes first. */
  readonly features: readonly FeatureTree[];
  /** Whether the classes of all features are known. If not, a name that no known class has may belong to a feature. */
  readonly isComplete: boolean;
}

/** A property that contains a feature, as the class and its base classes declare it. */
interface FeatureProperty {
  readonly name: string;
  /** Class that the most derived declaration gives. `undefined` if the compiler erased it. */
  readonly declared: unknown;
  /** `Class.property` of the most derived decorator, for messages. */
  readonly place: string;
}

/** A class, or an object of it, that may contain features. */
interface Holder extends Omit<FeatureTree, 'features' | 'isComplete'> {
  readonly object: object | undefined;
  /** Classes or objects on the path from the server to this class or object, which is included. */
  readonly above: readonly object[];
}

/** Finds the features that a class declares or, if an object is given, those that the object contains. */
export function buildFeatureTree(target: Constructor, object: object | undefined, problems: Problems): FeatureTree {
  return buildNode({ target, object, owner: [], above: [object ?? target] }, problems);
}

/** Whether instances of a class may differ in the features that they contain. */
export function declaresFeatures(target: Constructor): boolean {
  return readFeatureProperties(target).length > 0;
}

/** Lists a tree and all its features. */
export function flattenTree(composite: FeatureTree): readonly FeatureTree[] {
  return [composite, ...composite.features.flatMap(flattenTree)];
}

function buildNode({ target, object, owner, above }: Holder, problems: Problems): FeatureTree {
  let isComplete = true;
  const features = readFeatureProperties(target).flatMap((property) => {
    const held = object === undefined ? resolveDeclared(property) : resolveHeld(object, property);
    const problem = typeof held === 'string' ? held : findProblem(held, above);
    if (typeof held === 'string') isComplete = false;
    if (typeof held === 'string' || problem !== undefined) {
      problems.push(`${property.place}: ${problem}`);
      return [];
    }
    return [buildNode({ ...held, owner: [...owner, property.name], above: [...above, held.object ?? held.target] }, problems)];
  });
  return { target, owner, features, isComplete: isComplete && features.every((feature) => feature.isComplete) };
}

function readFeatureProperties(target: Constructor): readonly FeatureProperty[] {
  const properties = new Map<string, FeatureProperty>();
  for (const prototype of getLineage(target)) {
    for (const [name, { type }] of readFeatureAnnotations(prototype)) {
      const own: unknown = type === undefined ? readEmittedType(prototype, name) : type();
      const declared = isErased(own) ? properties.get(name)?.declared : own;
      properties.set(name, { name, declared, place: `${getClassName(prototype)}.${name}` });
    }
  }
  return [...properties.values()];
}

/** The server object, an extra feature, or a feature of one of these objects. */
export interface ServerPart {
  readonly object: object;
  /** Property names from the server object, or from the extra feature, to the object. */
  readonly owner: readonly string[];
  /** Extra feature that is or contains the object. Absent for the server object and its own features. */
  readonly extraFeature?: object;
}

/** Lists the server object, its features and the extra features, in the order of their members. Features may contain features. */
export function listServerParts(server: object, extraFeatures: readonly object[] = []): readonly ServerPart[] {
  const own = listFeatureObjects(server, []);
  return [
    ...own,
    ...extraFeatures.flatMap((each) => listFeatureObjects(each, []).map((part) => ({ ...part, extraFeature: each }))),
  ];
}

function listFeatureObjects(object: object, owner: readonly string[]): readonly ServerPart[] {
  const target = getClass(object);
  const properties = target === undefined ? [] : readFeatureProperties(target);
  const features = properties.flatMap(({ name }) => {
    const held: unknown = Reflect.get(object, name);
    return typeof held === 'object' && held !== null ? listFeatureObjects(held, [...owner, name]) : [];
  });
  return [{ object, owner }, ...features];
}

type Held = Pick<Holder, 'target' | 'object'>;

/** Returns the class of a feature, or a problem. */
function resolveDeclared({ declared }: FeatureProperty): Held | string {
  if (isConstructor(declared) && !isErased(declared)) return { target: declared, object: undefined };
  return (
    'the class of the feature is not known at run time; declare it as the type of the property or give it as ' +
    '@Feature({ type: () => Search }), import it as a value, not with "import type", and compile with "emitDecoratorMetadata": true'
  );
}

/** Returns the object that a property contains, or a problem. */
function resolveHeld(object: object, { name }: FeatureProperty): Held | string {
  const held: unknown = Reflect.get(object, name);
  if (held === undefined || held === null) return 'is empty; assign the feature in the constructor';
  if (typeof held !== 'object') return `contains ${describeType(held)}; a feature must be an object`;
  const target = getClass(held);
  return target === undefined
    ? 'contains an object without a class; a feature must be an instance of a class with annotated methods'
    : { target, object: held };
}

function findProblem({ target, object }: Held, above: readonly object[]): string | undefined {
  if (above.includes(object ?? target))
    return `contains ${target.name}, which already contains it; features cannot be circular; remove the feature`;
  return isAnnotated(target)
    ? undefined
    : `contains ${target.name}, which has no annotated method; remove @Feature(), or decorate a method`;
}

function isAnnotated(target: Constructor): boolean {
  return getLineage(target).some((prototype) =>
    [readMemberAnnotations(prototype), readCompletionAnnotations(prototype), readFeatureAnnotations(prototype)].some(
      ({ size }) => size > 0,
    ),
  );
}
