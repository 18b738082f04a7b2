import { isRequestContextClass } from '../metadata/brand.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isErased, methodOf, type Member } from './member.ts';
import { isInputClass } from './option-checks.ts';
import type { RawSchema } from './primitives.ts';
import type { Problems } from './problems.ts';

/** What stands before the context in a method's parameters. */
export type InputShape =
  /** `(input, context)` */
  | { readonly kind: 'class'; readonly schema: ClassSchema }
  /** `(arguments, context)`, the arguments as they came; of tools only. The schema is frozen. */
  | { readonly kind: 'raw'; readonly schema: RawSchema }
  /** `(context)`, or no parameters at all */
  | { readonly kind: 'none' };

/** The shape of a member's input, from its option or from the emitted type; problems are added to the list. */
export function inputShape(
  member: Member,
  option: { readonly name: 'input' | 'args' | 'variables'; readonly target: Constructor | null | undefined },
  problems: Problems,
): Exclude<InputShape, { readonly kind: 'raw' }> {
  if (option.target === null) return { kind: 'none' };
  const source = option.target ?? member.firstParameter;
  if (isRequestContextClass(source)) {
    if (parametersOf(member) > 1) problems.push(`${member.place}: its context stands before its input; write (input, context)`);
    return { kind: 'none' };
  }
  if (isErased(source)) {
    if (takesNothing(member)) return { kind: 'none' };
    problems.push(erased(member, option.name));
    return { kind: 'none' };
  }
  if (!isInputClass(source)) {
    if (option.target === undefined) problems.push(`${member.place}: ${option.name} must be a class`);
    return { kind: 'none' };
  }
  const schema = ClassSchema.of(source);
  problems.inspect(() => schema.problems.map((problem) => `${member.place}: ${problem}`));
  return { kind: 'class', schema };
}

/** The properties that text alone can never fill, which is all that prompts and URIs carry. */
export function textProblems({ place }: Member, input: InputShape): readonly string[] {
  if (input.kind !== 'class') return [];
  return Object.entries(input.schema.input.properties)
    .filter(([, schema]) => !mayBeText(schema))
    .map(([name]) => `${place}: "${name}" is an array or object, but arrives as text; only text, numbers and booleans do`);
}

function mayBeText({ type, oneOf }: JsonSchema): boolean {
  if (type === undefined) return oneOf === undefined;
  return [type].flat().some((each) => each !== 'array' && each !== 'object');
}

function takesNothing({ emitted, firstParameter, target, name }: Member): boolean {
  return emitted ? firstParameter === undefined : parametersOf({ target, name }) === 0;
}

/** Those without a default. */
function parametersOf({ target, name }: Pick<Member, 'target' | 'name'>): number {
  return methodOf(target, name)?.length ?? 0;
}

function erased({ place }: Member, option: string): string {
  return (
    `${place}: the class of its first parameter is not known at run time; ` +
    `give it as ${option}: Dto (${option}: null for a method that takes only the context), or import the class as a value, not with "import type", and compile with "emitDecoratorMetadata": true`
  );
}
