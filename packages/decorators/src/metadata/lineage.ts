/** A class that can be instantiated, of any parameters. */
export type Constructor<Instance extends object = object> = new (...parameters: never[]) => Instance;

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
