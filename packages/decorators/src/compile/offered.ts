import type { MemberKind } from '../metadata/annotation.ts';
import type { Composite } from './composite.ts';
import type { Kind } from './kind.ts';
import type { Member } from './member.ts';
import { membersOf } from './members.ts';
import type { Problems } from './problems.ts';
import { applyTables } from './tables.ts';

/** Before every class of a lineage: what a feature removed, any table of its holder may bring back. */
const BY_A_FEATURE = -1;

/**
 * The members of one kind that a server has: its own, then those of its features, both as its tables leave them.
 * What is removed is among them, marked, because tables and completions may still name it.
 */
export function offeredMembers<Name extends MemberKind>(
  { target, owner, features }: Composite,
  kind: Kind<Name>,
  problems: Problems,
): readonly Member<Name>[] {
  const held = features.flatMap((feature) => offeredMembers(feature, kind, problems));
  const members = [...membersOf(target, owner, kind), ...held.map(fromFeature)];
  return applyTables(target, kind, members, problems);
}

/** The members that are served, in order. */
export function served<Name extends MemberKind>(members: readonly Member<Name>[]): readonly Member<Name>[] {
  return members.filter(({ removedAt }) => removedAt === undefined);
}

function fromFeature<Name extends MemberKind>(member: Member<Name>): Member<Name> {
  return member.removedAt === undefined ? member : { ...member, removedAt: BY_A_FEATURE };
}
