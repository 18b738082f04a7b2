import { isRequestContextClass } from '../metadata/brand.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import { isErased, type Member } from './members.ts';

/** What stands before the context in a method's parameters. */
export type InputShape =
  /** `(input, context)` */
  | { readonly kind: 'class'; readonly schema: ClassSchema }
  /** `(arguments, context)`, by a schema written by hand */
  | { readonly kind: 'raw'; readonly schema: object }
  /** `(context)`, or no parameters at all */
  | { readonly kind: 'none' };

/** The shape of a member's input, from its option or from the emitted type; problems are added to the list. */
export function inputShape(
  member: Member,
  option: { readonly name: 'input' | 'args' | 'variables'; readonly target: Constructor | undefined },
  target: Constructor,
  problems: string[],
): InputShape {
  const source = option.target ?? member.firstParameter;
  if (isRequestContextClass(source)) return { kind: 'none' };
  if (isErased(source)) {
    if (member.emitted ? member.firstParameter === undefined : methodLength(target, member.name) === 0) return { kind: 'none' };
    problems.push(erased(member, option.name));
    return { kind: 'none' };
  }
  if (!isClass(source)) {
    problems.push(`${member.place}: ${option.name} must be a class`);
    return { kind: 'none' };
  }
  const schema = ClassSchema.of(source);
  problems.push(...schema.problems.map((problem) => `${member.place}: ${problem}`));
  return { kind: 'class', schema };
}

function erased({ place }: Member, option: string): string {
  return (
    `${place}: the class of its first parameter is not known at run time; ` +
    `give it as ${option}: Dto, or import the class (also RequestContext, if the method takes only that) as a value, not with "import type", and compile with "emitDecoratorMetadata": true`
  );
}

function methodLength(target: Constructor, name: string): number {
  const method: unknown = Reflect.get(target.prototype, name);
  return typeof method === 'function' ? method.length : 0;
}

function isClass(value: unknown): value is Constructor {
  return (
    typeof value === 'function' &&
    typeof value.prototype === 'object' &&
    value !== String &&
    value !== Number &&
    value !== Boolean &&
    value !== Array
  );
}
