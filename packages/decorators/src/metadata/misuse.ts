import { DefinitionError } from './definition-error.ts';
import { getClassName } from './lineage.ts';

/** Second argument of a decorator that runs as a standard (TC39) decorator. */
interface StandardContext {
  readonly kind: string;
  readonly name: string | symbol | undefined;
}

/**
 * Returns the name of a decorated member.
 *
 * @throws DefinitionError for a standard (TC39) decorator, a static member, and a member whose name is a symbol: without
 *   this check, the decorator would fail with an unrelated error, or the server would start without the member
 */
export function requireMemberName(target: unknown, member: unknown, decorator: string): string {
  refuseStandardDecorator(member, decorator);
  if (typeof target === 'function')
    throw new DefinitionError([`${describeMember(target, member)}: ${decorator} decorates a static member; remove "static"`]);
  if (typeof member !== 'string')
    throw new DefinitionError([
      `${describeMember(target, member)}: ${decorator} decorates a symbol; name the member by a string`,
    ]);
  return member;
}

/** @throws DefinitionError if the second argument of a decorator shows that the compiler created a standard (TC39) decorator */
export function refuseStandardDecorator(context: unknown, decorator: string): void {
  if (!isStandardContext(context)) return;
  throw new DefinitionError([
    `${String(context.name)}: ${decorator} runs as a standard (TC39) decorator, which is not supported; compile with ` +
      '"experimentalDecorators": true. With tsx, also list the file in "include" of tsconfig.json',
  ]);
}

/** @throws DefinitionError if a decorator without parentheses received its target and member instead of its options */
export function refuseMissingParentheses(decorator: string, target: unknown, member?: unknown): void {
  if (!isStandardContext(member) && !isPrototype(target)) return;
  throw new DefinitionError([`${describeMember(target, member)}: ${decorator} has no parentheses; write ${decorator}(…)`]);
}

/** Returns `Class.member`, or only the member if the class is unknown. */
function describeMember(target: unknown, member: unknown): string {
  if (isStandardContext(member)) return String(member.name);
  const owner = typeof target === 'function' ? target.name : isPrototype(target) ? getClassName(target) : '';
  const name = typeof member === 'string' || typeof member === 'symbol' ? [String(member)] : [];
  return [owner || 'an unnamed class', ...name].join('.');
}

function isStandardContext(value: unknown): value is StandardContext {
  return typeof value === 'object' && value !== null && 'kind' in value && 'name' in value && 'addInitializer' in value;
}

function isPrototype(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor');
}
