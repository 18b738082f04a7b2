import type { Constructor } from '../../src/metadata/lineage.ts';

/** Everything that stands on the prototypes of all objects, and of those of some classes. */
export function prototypes(...targets: readonly Constructor[]): readonly unknown[] {
  const builtIn = [Object, Array, String, Number, Boolean, Function, Map];
  return [...builtIn, ...targets].flatMap(({ prototype }: { readonly prototype: object }) => [
    Object.getPrototypeOf(prototype),
    Object.isExtensible(prototype),
    Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)]),
  ]);
}
