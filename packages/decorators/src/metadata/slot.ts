import 'reflect-metadata';

/**
 * One named piece of metadata on an object, never inherited from its prototype.
 *
 * The key is a registered symbol, so that two installed copies of this package read each other's annotations.
 */
export class Slot<Value> {
  readonly #key: symbol;

  constructor(name: string) {
    this.#key = Symbol.for(`@org/mcp-decorators/${name}`);
  }

  read(target: object): Value | undefined {
    return Reflect.getOwnMetadata(this.#key, target);
  }

  write(target: object, value: Value): void {
    Reflect.defineMetadata(this.#key, value, target);
  }

  /** Reads the value, writing `initial()` first where there is none. */
  open(target: object, initial: () => Value): Value {
    const present = this.read(target);
    if (present !== undefined) return present;
    const value = initial();
    this.write(target, value);
    return value;
  }
}

/** The types the compiler emitted for a method's parameters; `undefined` where it emitted none. */
export function emittedParameters(prototype: object, member: string): readonly unknown[] | undefined {
  return Reflect.getOwnMetadata('design:paramtypes', prototype, member);
}

/** The type the compiler emitted for a property; `undefined` where it emitted none. */
export function emittedType(prototype: object, member: string): unknown {
  return Reflect.getOwnMetadata('design:type', prototype, member);
}
