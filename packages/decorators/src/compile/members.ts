import {
  completionAnnotations,
  DECORATORS,
  disabledMembers,
  memberAnnotations,
  type MemberKind,
} from '../metadata/annotation.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import { emittedParameters } from '../metadata/slot.ts';
import type { Kind } from './kind.ts';
import { isErased, methodOf, type Annotated, type Member } from './member.ts';
import { mergeOptions } from './merge-options.ts';
import { optionProblems } from './option-checks.ts';

/** `@Disabled` on what no class of the lineage annotated so far. */
export function strayDisabled(target: Constructor): readonly string[] {
  const annotated = new Set<string>();
  return lineage(target).flatMap((prototype) => {
    for (const name of [...memberAnnotations(prototype).keys(), ...completionAnnotations(prototype).keys()]) annotated.add(name);
    const stray = [...disabledMembers(prototype)].filter((name) => !annotated.has(name));
    return stray.map((name) => `${classNameOf(prototype)}.${name}: @Disabled stands on a method that nobody annotated`);
  });
}

/**
 * The annotated methods of a class: base members first, then in order of declaration, keyed by kind and name.
 * A decorated override merges its options over the inherited ones; what a class disables stays, marked as removed.
 */
export function membersOf<Name extends MemberKind>(
  target: Constructor,
  owner: readonly string[],
  kind: Kind<Name>,
): readonly Member<Name>[] {
  const members = new Map<string, Member<Name>>();
  for (const [depth, prototype] of lineage(target).entries()) {
    for (const [name, annotations] of memberAnnotations(prototype)) {
      const own = annotations.filter((annotation): annotation is Annotated<Name> => annotation.kind === kind.name);
      for (const [position, annotation] of own.entries()) {
        const member = overridden(members.get(name), declared(annotation, { target, owner }, { prototype, name }, kind));
        members.set(name, position === 0 ? member : withProblem(member, `has more than one ${DECORATORS[kind.name]}`));
      }
    }
    for (const name of disabledMembers(prototype)) {
      const member = members.get(name);
      if (member !== undefined) members.set(name, { ...member, removedAt: depth });
    }
  }
  return [...members.values()].map((member) =>
    methodOf(target, member.name) === undefined ? withProblem(member, `${DECORATORS[kind.name]} is for methods`) : member,
  );
}

function declared<Name extends MemberKind>(
  { options }: Annotated<Name>,
  { target, owner }: Pick<Member, 'target' | 'owner'>,
  { prototype, name }: { readonly prototype: object; readonly name: string },
  { checks }: Kind<Name>,
): Member<Name> {
  const emitted = emittedParameters(prototype, name);
  const place = `${classNameOf(prototype)}.${name}`;
  return {
    name,
    target,
    owner,
    options,
    history: [options],
    removedAt: undefined,
    firstParameter: emitted?.[0],
    emitted: emitted !== undefined,
    place,
    problems: optionProblems(checks, options).map((problem) => `${place}: ${problem}`),
  };
}

function overridden<Name extends MemberKind>(inherited: Member<Name> | undefined, own: Member<Name>): Member<Name> {
  if (inherited === undefined) return own;
  const options = mergeOptions(inherited.options, own.options);
  return {
    ...own,
    options,
    history: [...inherited.history, options],
    firstParameter: isErased(own.firstParameter) ? (inherited.firstParameter ?? own.firstParameter) : own.firstParameter,
    emitted: own.emitted || inherited.emitted,
    problems: [...inherited.problems, ...own.problems],
  };
}

function withProblem<Name extends MemberKind>(member: Member<Name>, problem: string): Member<Name> {
  return { ...member, problems: [...member.problems, `${member.place}: ${problem}`] };
}
