import type { Constructor } from '../metadata/lineage.ts';
import { isRequestContextClass } from '../metadata/request-context-brand.ts';
import { ClassSchema } from '../schema/class-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { InputShape } from './compiled-server.ts';
import { findPrototypeMethod, isErased, type Member } from './member.ts';
import { isInputClass } from './option-checks.ts';
import type { Problems } from './problems.ts';

/** Finds the parameters of a method from its option or from the emitted type. Adds mistakes to `problems`. */
export function resolveInput(
  member: Member,
  option: { readonly name: 'input' | 'args' | 'variables'; readonly target: Constructor | null | undefined },
  problems: Problems,
): Exclude<InputShape, { readonly kind: 'raw' | 'standard' }> {
  if (option.target === null) return { kind: 'none' };
  const source = option.target ?? member.firstParameter;
  if (isRequestContextClass(source)) {
    if (countParameters(member) > 1) problems.push(`${member.place}: its first parameter is the context; write (input, context)`);
    return { kind: 'none' };
  }
  if (isErased(source)) {
    if (hasNoParameters(member)) return { kind: 'none' };
    problems.push(describeErased(member, option.name));
    return { kind: 'none' };
  }
  if (!isInputClass(source)) {
    if (option.target === undefined) problems.push(`${member.place}: ${describePrimitive(source)}`);
    return { kind: 'none' };
  }
  const schema = ClassSchema.of(source);
  problems.inspect(() => schema.problems.map((problem) => `${member.place}: ${problem}`));
  return { kind: 'class', schema };
}

/** Finds properties of types that text cannot represent: prompts and URIs carry only text. */
export function findTextProblems({ place }: Member, input: InputShape): readonly string[] {
  if (input.kind !== 'class') return [];
  return Object.entries(input.schema.input.properties)
    .filter(([, schema]) => !mayBeText(schema))
    .map(([name]) => `${place}: "${name}" is an array or object, which text cannot represent; use text, numbers or booleans`);
}

function mayBeText({ type, oneOf }: JsonSchema): boolean {
  if (type === undefined) return oneOf === undefined;
  return [type].flat().some((each) => each !== 'array' && each !== 'object');
}

function hasNoParameters({ emitted, firstParameter, target, name }: Member): boolean {
  return emitted ? firstParameter === undefined : countParameters({ target, name }) === 0;
}

/** Counts the parameters before the first one with a default value. */
function countParameters({ target, name }: Pick<Member, 'target' | 'name'>): number {
  return findPrototypeMethod(target, name)?.length ?? 0;
}

function describePrimitive(source: unknown): string {
  const type = source === Array ? 'an array' : typeof source === 'function' ? `a ${source.name.toLowerCase()}` : 'not a class';
  return `its first parameter is ${type}; declare a class with a property for each argument, and give it as the type of the parameter`;
}

function describeErased({ place }: Member, option: string): string {
  return (
    `${place}: the class of its first parameter is not known at run time; ` +
    `give it as ${option}: Dto (${option}: null for a method that takes only the context), or import the class as a value, not with "import type", and compile with "emitDecoratorMetadata": true`
  );
}
