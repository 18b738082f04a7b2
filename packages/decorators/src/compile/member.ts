import type { MemberAnnotation, MemberKind } from '../metadata/annotation.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { snakeCase } from './names.ts';

export type Annotated<Name extends MemberKind> = Extract<MemberAnnotation, { readonly kind: Name }>;

export type OptionsOf<Name extends MemberKind> = Annotated<Name>['options'];

/** An annotated method as the whole lineage of its class describes it. */
export interface Member<Name extends MemberKind = MemberKind> {
  /** The method's name; a call goes to the object's method of this name, whoever overrides it. */
  readonly name: string;
  /** The class of the object that has the method. */
  readonly target: Constructor;
  /** The properties that lead from the server object to that object. */
  readonly owner: readonly string[];
  readonly options: OptionsOf<Name>;
  /** The options as each class left them, base-most first: what a subclass renames is still found by its former name. */
  readonly history: readonly OptionsOf<Name>[];
  /** How far down the lineage the class stands that removed it last; `undefined` where it is served. */
  readonly removedAt: number | undefined;
  /** The class emitted for the first parameter by the leaf-most decorator that has one. */
  readonly firstParameter: unknown;
  /** Whether any decorator of the member saw emitted types. */
  readonly emitted: boolean;
  /** `Class.method` of the leaf-most decorator, for messages. */
  readonly place: string;
  /** What is wrong with its annotations; reported if it is served. */
  readonly problems: readonly string[];
}

/** The name that clients see. */
export function wireName({ name, options }: Pick<Member, 'name' | 'options'>): string {
  return options.name ?? snakeCase(name);
}

/** The members that have a property in their options; if none has, those that had it in a class above. */
export function membersWith<Name extends MemberKind>(
  members: readonly Member<Name>[],
  has: (member: Pick<Member<Name>, 'name' | 'options'>) => boolean,
): readonly Member<Name>[] {
  const current = members.filter(has);
  if (current.length > 0) return current;
  return members.filter(({ name, history }) => history.some((options) => has({ name, options })));
}

/** The function that a class or a class above has under a name. */
export function methodOf(target: Constructor, name: string): ((...given: unknown[]) => unknown) | undefined {
  let holder: unknown = target.prototype;
  while (typeof holder === 'object' && holder !== null) {
    const method: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
    if (isFunction(method)) return method;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function';
}

/** `import type` emits `Function`, a union or an interface `Object`: neither says which class it was. */
export function isErased(type: unknown): boolean {
  return type === undefined || type === Object || type === Function;
}
