/** A function that makes a value when it is called first, and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Gives an object a property that is made when it is read first. */
export function defineLazily<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  make: () => Required<Target>[Name],
): void {
  Object.defineProperty(target, name, { enumerable: true, get: lazy(make) });
}
