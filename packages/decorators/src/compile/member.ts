import { memberAnnotations, type MemberAnnotation, type MemberKind } from '../metadata/annotation.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import { emittedParameters } from '../metadata/slot.ts';

type Annotated<Kind extends MemberKind> = Extract<MemberAnnotation, { readonly kind: Kind }>;

/** An annotated method as the whole lineage of its class describes it. */
export interface Member<Kind extends MemberKind = MemberKind> {
  readonly kind: Kind;
  /** The method's name; a call goes to `instance[name]`, whoever overrides it. */
  readonly name: string;
  readonly options: Annotated<Kind>['options'];
  /** The class emitted for the first parameter by the leaf-most decorator that has one. */
  readonly firstParameter: unknown;
  /** Whether any decorator of the member saw emitted types. */
  readonly emitted: boolean;
  /** `Class.method` of the leaf-most decorator, for messages. */
  readonly place: string;
}

/**
 * The annotated methods of a class: base members first, then in order of declaration, keyed by kind and name.
 * A decorated override merges its options over the inherited ones, its annotations one level deep.
 */
export function membersOf<Kind extends MemberKind>(target: Constructor, kind: Kind): readonly Member<Kind>[] {
  const members = new Map<string, Member<Kind>>();
  for (const prototype of lineage(target)) {
    for (const [name, annotations] of memberAnnotations(prototype)) {
      for (const annotation of annotations.filter((candidate): candidate is Annotated<Kind> => candidate.kind === kind)) {
        members.set(name, extended(members.get(name), annotation, prototype, name));
      }
    }
  }
  return [...members.values()];
}

function extended<Kind extends MemberKind>(
  inherited: Member<Kind> | undefined,
  { kind, options }: Annotated<Kind>,
  prototype: object,
  name: string,
): Member<Kind> {
  const emitted = emittedParameters(prototype, name);
  return {
    kind,
    name,
    options: mergeOptions(inherited?.options, options),
    firstParameter: isErased(emitted?.[0]) ? (inherited?.firstParameter ?? emitted?.[0]) : emitted?.[0],
    emitted: emitted !== undefined || inherited?.emitted === true,
    place: `${classNameOf(prototype)}.${name}`,
  };
}

/** `import type` emits `Function`, a union or an interface `Object`: neither says which class it was. */
export function isErased(type: unknown): boolean {
  return type === undefined || type === Object || type === Function;
}

function mergeOptions<Options extends object>(inherited: Options | undefined, given: Options): Options {
  const merged = { ...inherited, ...given };
  const above = hintsOf(inherited);
  const own = hintsOf(given);
  return above === undefined || own === undefined ? merged : { ...merged, annotations: { ...above, ...own } };
}

function hintsOf(options: object | undefined): object | undefined {
  if (options === undefined || !('annotations' in options)) return undefined;
  return typeof options.annotations === 'object' && options.annotations !== null ? options.annotations : undefined;
}
