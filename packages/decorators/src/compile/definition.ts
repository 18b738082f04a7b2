import { freeze } from '../schema/json-schema.ts';
import type { Described } from './compiled-server.ts';
import { getWireName, type Member } from './member.ts';

/** Returns the properties that all definitions share. Default for the name: the method's name in snake case. */
export function describePrimitive(member: Member): Described {
  const { title, description, icons, _meta } = member.options;
  return {
    name: getWireName(member),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons: copyFrozen(icons) }),
    ...(_meta !== undefined && { _meta: copyFrozen(_meta) }),
  };
}

/** Returns a frozen copy, because the author of the annotation may change the original later. */
export function copyFrozen<Value>(value: Value): Value {
  try {
    return freeze(structuredClone(value));
  } catch {
    // A value that cannot be copied is not plain data. It is returned unchanged, because another check has reported it.
    return value;
  }
}

/** Returns a function that computes its value on the first call and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Defines a property that is computed on first access. */
export function defineLazyProperty<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: () => Required<Target>[Name],
): void {
  Object.defineProperty(target, name, { enumerable: true, get: lazy(make) });
}
