import type { MemberAnnotation, MemberKind } from '../metadata/annotation.ts';
import type { Constructor } from '../metadata/lineage.ts';
import { snakeCase } from './names.ts';

export type Annotated<Name extends MemberKind> = Extract<MemberAnnotation, { readonly kind: Name }>;

export type MemberOptions<Name extends MemberKind> = Annotated<Name>['options'];

/** An annotated method, with its options merged along the class hierarchy. */
export interface Member<Name extends MemberKind = MemberKind> {
  /** Name of the method. A call runs the object's method of this name, which is the most derived override. */
  readonly name: string;
  /** Class of the object that has the method. */
  readonly target: Constructor;
  /** Property names from the server object to that object. */
  readonly owner: readonly string[];
  readonly options: MemberOptions<Name>;
  /**
   * Merged options at each class that decorates the member, base class first, so that override tables and completions can use a
   * former name.
   */
  readonly history: readonly MemberOptions<Name>[];
  /**
   * Depth in the class hierarchy of the most derived class that removed the member; −1 if its feature removed it. `undefined` if
   * the member is served.
   */
  readonly removedAt: number | undefined;
  /** Emitted class of the first parameter, from the most derived decorator with an emitted class. */
  readonly firstParameter: unknown;
  /** Whether the compiler emitted types for at least one decorator of the member. */
  readonly emitted: boolean;
  /** `Class.method` of the most derived decorator, for messages. */
  readonly place: string;
  /** Mistakes in the annotations; reported only if the member is served. */
  readonly problems: readonly string[];
}

/** Returns the name on the wire. */
export function getWireName({ name, options }: Pick<Member, 'name' | 'options'>): string {
  return options.name ?? snakeCase(name);
}

/** Finds the members whose options match; if no member matches, those whose options matched in a base class. */
export function findMembers<Name extends MemberKind>(
  members: readonly Member<Name>[],
  has: (member: Pick<Member<Name>, 'name' | 'options'>) => boolean,
): readonly Member<Name>[] {
  const current = members.filter(has);
  if (current.length > 0) return current;
  return members.filter(({ name, history }) => history.some((options) => has({ name, options })));
}

/** Finds the method of a class or of its base classes. */
export function findPrototypeMethod(target: Constructor, name: string): ((...given: unknown[]) => unknown) | undefined {
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

/** Whether an emitted type identifies no class: `import type` emits `Function`, and a union or an interface emits `Object`. */
export function isErased(type: unknown): boolean {
  return type === undefined || type === Object || type === Function;
}
