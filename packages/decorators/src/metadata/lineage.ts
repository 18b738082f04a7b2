/** A class that can be instantiated, of any parameters. */
export type Constructor<Instance extends object = object> = new (...parameters: never[]) => Instance;

export function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** The class that an object is an instance of; `undefined` for a plain object. */
export function classOf(instance: object): Constructor | undefined {
  const prototype: unknown = Object.getPrototypeOf(instance);
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return undefined;
  return isConstructor(prototype.constructor) ? prototype.constructor : undefined;
}

/** The prototypes of a class from the base-most to its own. */
export function lineage(target: Constructor): readonly object[] {
  const chain: object[] = [];
  let prototype: unknown = target.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    chain.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
  return chain;
}

/** The name of the class a prototype belongs to, for messages. */
export function classNameOf(prototype: object): string {
  return prototype.constructor.name || 'an unnamed class';
}
