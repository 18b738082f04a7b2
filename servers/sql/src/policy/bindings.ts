/**
 * Names that are visible in a part of a statement. Entering and leaving a part costs as much as the part defines, however deep the
 * part is nested.
 */
export class Bindings<Value> {
  readonly #values = new Map<string, Value>();
  readonly #replaced: (readonly [name: string, value: Value | undefined])[] = [];

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Value): void {
    this.#replaced.push([name, this.#values.get(name)]);
    this.#values.set(name, value);
  }

  /** Returns what `leave` needs to forget all names that are set from now on. */
  enter(): number {
    return this.#replaced.length;
  }

  leave(entered: number): void {
    while (this.#replaced.length > entered) {
      const [name, value] = this.#replaced.pop() ?? [''];
      if (value === undefined) this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }
}
