import {
  DECORATOR_NAMES,
  readCompletionAnnotations,
  readDisabledMembers,
  readMemberAnnotations,
  type MemberKind,
} from '../metadata/annotation.ts';
import { getClassName, getLineage, type Constructor } from '../metadata/lineage.ts';
import { readEmittedParameters } from '../metadata/slot.ts';
import type { FeatureTree } from './feature-tree.ts';
import { findPrototypeMethod, isErased, type Annotated, type Member } from './member.ts';
import { mergeOptions } from './merge-options.ts';
import { checkOptions } from './option-checks.ts';
import type { PrimitiveKind } from './primitive-kind.ts';
import type { Problems } from './problems.ts';
import { applyTables } from './tables.ts';

/** Finds `@Disabled` on methods that neither the class nor its base classes annotate. */
export function findStrayDisabled(target: Constructor): readonly string[] {
  const annotated = new Set<string>();
  return getLineage(target).flatMap((prototype) => {
    for (const name of [...readMemberAnnotations(prototype).keys(), ...readCompletionAnnotations(prototype).keys()])
      annotated.add(name);
    const stray = [...readDisabledMembers(prototype)].filter((name) => !annotated.has(name));
    return stray.map(
      (name) =>
        `${getClassName(prototype)}.${name}: @Disabled decorates a method without an annotation; remove @Disabled, or decorate an override`,
    );
  });
}

/**
 * Lists the annotated methods of a class: members of base classes first, then in order of declaration. A decorated override
 * merges its options into the inherited ones. Disabled members stay in the list, marked as removed.
 */
function readMembers<Name extends MemberKind>(
  target: Constructor,
  owner: readonly string[],
  kind: PrimitiveKind<Name>,
): readonly Member<Name>[] {
  const members = new Map<string, Member<Name>>();
  for (const [depth, prototype] of getLineage(target).entries()) {
    for (const [name, annotations] of readMemberAnnotations(prototype)) {
      const own = annotations.filter((annotation): annotation is Annotated<Name> => annotation.kind === kind.name);
      for (const [position, annotation] of own.entries()) {
        const member = overrideMember(members.get(name), createMember(annotation, { target, owner }, { prototype, name }, kind));
        members.set(
          name,
          position === 0 ? member : addProblem(member, `has more than one ${DECORATOR_NAMES[kind.name]}; keep one`),
        );
      }
    }
    for (const name of readDisabledMembers(prototype)) {
      const member = members.get(name);
      if (member !== undefined) members.set(name, { ...member, removedAt: depth });
    }
  }
  return [...members.values()].map((member) =>
    findPrototypeMethod(target, member.name) === undefined
      ? addProblem(member, `${DECORATOR_NAMES[kind.name]} is for methods; declare the property as a method`)
      : member,
  );
}

function createMember<Name extends MemberKind>(
  { options }: Annotated<Name>,
  { target, owner }: Pick<Member, 'target' | 'owner'>,
  { prototype, name }: { readonly prototype: object; readonly name: string },
  { checks }: PrimitiveKind<Name>,
): Member<Name> {
  const emitted = readEmittedParameters(prototype, name);
  const place = `${getClassName(prototype)}.${name}`;
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
    problems: checkOptions(checks, options).map((problem) => `${place}: ${problem}`),
  };
}

function overrideMember<Name extends MemberKind>(inherited: Member<Name> | undefined, own: Member<Name>): Member<Name> {
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

function addProblem<Name extends MemberKind>(member: Member<Name>, problem: string): Member<Name> {
  return { ...member, problems: [...member.problems, `${member.place}: ${problem}`] };
}

/**
 * Depth of a removal by a feature: above every class, so that `true` in an override table of any class of the containing object
 * restores the member.
 */
const BY_A_FEATURE = -1;

/**
 * Lists the members of one kind: the members of the server, then the members of its features, with the changes of all override
 * tables. Removed members stay in the list, marked as removed, because override tables and completions may name them.
 */
export function collectMembers<Name extends MemberKind>(
  tree: FeatureTree,
  kind: PrimitiveKind<Name>,
  problems: Problems,
): readonly Member<Name>[] {
  const { target, owner, features } = tree;
  const held = features.flatMap((feature) => collectMembers(feature, kind, problems));
  const members = [...readMembers(target, owner, kind), ...held.map(markFeatureMember)];
  return applyTables(tree, kind, members, problems);
}

/** Returns the members that are served. */
export function withoutRemoved<Name extends MemberKind>(members: readonly Member<Name>[]): readonly Member<Name>[] {
  return members.filter(({ removedAt }) => removedAt === undefined);
}

function markFeatureMember<Name extends MemberKind>(member: Member<Name>): Member<Name> {
  return member.removedAt === undefined ? member : { ...member, removedAt: BY_A_FEATURE };
}
