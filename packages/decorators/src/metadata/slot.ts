// `reflect-metadata/lite` omits the polyfills of the main module of reflect-metadata, which would slow down every start.
import 'reflect-metadata/lite';

/**
 * One named piece of metadata on an object; an object does not inherit the metadata of its prototype.
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

  /** Returns the value. Writes `initial()` first if the slot is empty. */
  getOrCreate(target: object, initial: () => Value): Value {
    const present = this.read(target);
    if (present !== undefined) return present;
    const value = initial();
    this.write(target, value);
    return value;
  }
}

/** Returns the types that the compiler emitted for a method's parameters, or `undefined`. */
export function readEmittedParameters(prototype: object, member: string): readonly unknown[] | undefined {
  return Reflect.getOwnMetadata('design:paramtypes', prototype, member);
}

/** Returns the type that the compiler emitted for a property, or `undefined`. */
export function readEmittedType(prototype: object, member: string): unknown {
  return Reflect.getOwnMetadata('design:type', prototype, member);
}
