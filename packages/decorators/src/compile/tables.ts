import { serverAnnotation, type MemberKind } from '../metadata/annotation.ts';
import { classNameOf, lineage, type Constructor } from '../metadata/lineage.ts';
import { nearest } from '../nearest.ts';
import { isPlainObject } from '../schema/json-schema.ts';
import type { Kind } from './kind.ts';
import { membersWith, wireName, type Member, type OptionsOf } from './member.ts';
import { mergeOptions } from './merge-options.ts';
import { optionProblems } from './option-checks.ts';
import type { Problems } from './problems.ts';

/** One entry of a table, with where it stands. */
interface Entry<Name extends MemberKind> {
  readonly name: string;
  readonly change: boolean | OptionsOf<Name>;
  /** How far down the lineage its class stands. */
  readonly depth: number;
  /** `Class: tools.wire_name`, for messages. */
  readonly place: string;
}

/** The members as the tables of a class and of those above it leave them: all of them, the removed ones marked. */
export function applyTables<Name extends MemberKind>(
  target: Constructor,
  kind: Kind<Name>,
  members: readonly Member<Name>[],
  problems: Problems,
): readonly Member<Name>[] {
  return entriesOf(target, kind).reduce((current, entry) => applyEntry(current, entry, kind, problems), members);
}

function entriesOf<Name extends MemberKind>(target: Constructor, { table, tableOf }: Kind<Name>): readonly Entry<Name>[] {
  return lineage(target).flatMap((prototype, depth) =>
    Object.entries(tableOf(serverAnnotation(prototype) ?? {}) ?? {}).map(([name, change]) => ({
      name,
      change,
      depth,
      place: `${classNameOf(prototype)}: ${table}.${name}`,
    })),
  );
}

function applyEntry<Name extends MemberKind>(
  members: readonly Member<Name>[],
  entry: Entry<Name>,
  kind: Kind<Name>,
  problems: Problems,
): readonly Member<Name>[] {
  const named = membersWith(members, (member) => wireName(member) === entry.name);
  if (named.length === 0) {
    problems.push(`${entry.place}: ${unknown(entry.name, kind, members)}`);
    return members;
  }
  const found = changeProblems(entry.change, kind);
  problems.push(...found.map((problem) => `${entry.place}: ${problem}`));
  return found.length > 0 ? members : members.map((member) => (named.includes(member) ? changed(member, entry) : member));
}

/** `true` brings back what a class above removed; what the same class or one below removed stays removed. */
function changed<Name extends MemberKind>(member: Member<Name>, { change, depth }: Entry<Name>): Member<Name> {
  const { removedAt = -1 } = member;
  if (change === false) return { ...member, removedAt: Math.max(removedAt, depth) };
  if (change === true) return removedAt < depth ? { ...member, removedAt: undefined } : member;
  return { ...member, options: mergeOptions(member.options, change) };
}

function changeProblems<Name extends MemberKind>(change: unknown, { checks, changeable }: Kind<Name>): readonly string[] {
  if (typeof change === 'boolean') return [];
  if (!isPlainObject(change)) return ['must be false, true or an object of changes'];
  const others = Object.keys(change).filter((option) => !changeable.includes(option));
  return [
    ...others.map((option) => `"${option}" cannot be changed by a table, only ${changeable.join(', ')}`),
    ...optionProblems(checks, change),
  ];
}

function unknown<Name extends MemberKind>(name: string, kind: Kind<Name>, members: readonly Member<Name>[]): string {
  const known = [...new Set(members.map(wireName))];
  if (known.length === 0) return `the server has no ${kind.name}`;
  const near = nearest(name, known);
  const guess = near === undefined ? '' : `; did you mean "${near}"?`;
  return `the server has no ${kind.name} "${name}", only ${known.join(', ')}${guess}`;
}
