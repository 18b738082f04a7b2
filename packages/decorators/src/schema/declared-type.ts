import { getLineage, type Constructor } from '../metadata/lineage.ts';
import { readEmittedType } from '../metadata/slot.ts';
import type { JsonType } from './json-schema.ts';

/** JSON types of primitives, by emitted class. */
const PRIMITIVES: ReadonlyMap<unknown, JsonType> = new Map<unknown, JsonType>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

/**
 * Returns the class that the compiler emitted for the type of a property: `String`, `Number`, `Array`, the declared class, or
 * `Object` for a type without a class, such as a union or an interface. Returns `undefined` if the compiler emitted nothing.
 */
export function readDeclaredType(target: Constructor, name: string): unknown {
  let found: unknown;
  for (const prototype of getLineage(target).toReversed()) {
    const type = readEmittedType(prototype, name);
    // An imported enum is emitted as its object, and `import type` as `Function`.
    if (typeof type !== 'function' || type === Function) continue;
    // A subclass can only narrow a type. So if it emits only `Object`, the type of a base class still applies.
    if (type !== Object) return type;
    found = type;
  }
  return found;
}

/** Returns the JSON type of a property that is declared as a string, a number or a boolean; otherwise `undefined`. */
export function getPrimitiveType(type: unknown): JsonType | undefined {
  return PRIMITIVES.get(type);
}
