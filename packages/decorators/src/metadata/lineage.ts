/** A class that can be instantiated with any parameters. */
export type Constructor<Instance extends object = object> = new (...parameters: never[]) => Instance;

export function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** Returns the class of an object, or `undefined` for a plain object. */
export function getClass(instance: object): Constructor | undefined {
  const prototype: unknown = Object.getPrototypeOf(instance);
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return undefined;
  return isConstructor(prototype.constructor) ? prototype.constructor : undefined;
}

/** Lists the prototypes of a class, base class first. */
export function getLineage(target: Constructor): readonly object[] {
  const chain: object[] = [];
  let prototype: unknown = target.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    chain.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
  return chain;
}

/** Returns the name of a prototype's class, for messages. */
export function getClassName(prototype: object): string {
  return prototype.constructor.name || 'an unnamed class';
}
