import type { Constructor } from '../../src/metadata/lineage.ts';
import { ClassSchema } from '../../src/schema/class-schema.ts';
import type { Issue } from '../../src/schema/instantiate.ts';

/** What may stand on a property. */
export type FieldDecorator = (prototype: object, member: string) => void;

/** A class with one property, `value`, that carries the given decorators. */
export function declared(decorators: readonly FieldDecorator[], initial?: unknown): Constructor {
  class Input {
    constructor() {
      if (initial !== undefined) Object.assign(this, { value: initial });
    }
  }
  for (const decorate of decorators.toReversed()) decorate(Input.prototype, 'value');
  return Input;
}

/** What is wrong with a value: `path: message` lines, none if it is accepted. */
export function refusals(target: Constructor, value: unknown, options?: { readonly strings?: boolean }): readonly string[] {
  return lines(ClassSchema.of(target).parse(value, options).issues ?? []);
}

export function lines(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
