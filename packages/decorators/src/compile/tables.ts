import { readServerAnnotation, type MemberKind } from '../metadata/annotation.ts';
import { getClassName, getLineage, type Constructor } from '../metadata/lineage.ts';
import { isPlainObject } from '../schema/json-schema.ts';
import type { FeatureTree } from './feature-tree.ts';
import { findNearestName } from '../text/nearest-name.ts';
import { findMembers, getWireName, type Member, type MemberOptions } from './member.ts';
import { mergeOptions } from './merge-options.ts';
import { checkOptions } from './option-checks.ts';
import type { PrimitiveKind } from './primitive-kind.ts';
import type { Problems } from './problems.ts';

/** One entry of an override table: the options `tools`, `prompts` and `resources` of `@McpServer`. */
interface Entry<Name extends MemberKind> {
  readonly name: string;
  readonly change: boolean | MemberOptions<Name>;
  /** Depth in the class hierarchy of the class whose `@McpServer` contains the entry. */
  readonly depth: number;
  /** `Class: tools.wire_name`, for messages. */
  readonly place: string;
}

/**
 * Applies the override tables of a class and its base classes. Removed members stay in the list, marked as removed. An unknown
 * name is a problem, unless it may belong to a feature whose class is unknown.
 */
export function applyTables<Name extends MemberKind>(
  { target, isComplete }: Pick<FeatureTree, 'target' | 'isComplete'>,
  kind: PrimitiveKind<Name>,
  members: readonly Member<Name>[],
  problems: Problems,
): readonly Member<Name>[] {
  return readEntries(target, kind).reduce((current, entry) => {
    const named = findMembers(current, (member) => getWireName(member) === entry.name);
    if (named.length > 0) return applyEntry(current, named, { entry, kind }, problems);
    if (isComplete) problems.push(`${entry.place}: ${describeUnknown(entry.name, kind, current)}`);
    return current;
  }, members);
}

function readEntries<Name extends MemberKind>(
  target: Constructor,
  { table, readTable }: PrimitiveKind<Name>,
): readonly Entry<Name>[] {
  return getLineage(target).flatMap((prototype, depth) =>
    Object.entries(readTable(readServerAnnotation(prototype) ?? {}) ?? {}).map(([name, change]) => ({
      name,
      change,
      depth,
      place: `${getClassName(prototype)}: ${table}.${name}`,
    })),
  );
}

function applyEntry<Name extends MemberKind>(
  members: readonly Member<Name>[],
  named: readonly Member<Name>[],
  { entry, kind }: { readonly entry: Entry<Name>; readonly kind: PrimitiveKind<Name> },
  problems: Problems,
): readonly Member<Name>[] {
  const found = checkChange(entry.change, kind);
  problems.push(...found.map((problem) => `${entry.place}: ${problem}`));
  return found.length > 0 ? members : members.map((member) => (named.includes(member) ? applyChange(member, entry) : member));
}

/**
 * Applies an entry to a member. `true` restores a member that a base class removed, but not one that the same class or a
 * subclass removed.
 */
function applyChange<Name extends MemberKind>(member: Member<Name>, { change, depth }: Entry<Name>): Member<Name> {
  const { removedAt = -1 } = member;
  if (change === false) return { ...member, removedAt: Math.max(removedAt, depth) };
  if (change === true) return removedAt < depth ? { ...member, removedAt: undefined } : member;
  return { ...member, options: mergeOptions(member.options, change) };
}

function checkChange<Name extends MemberKind>(change: unknown, { checks, changeable }: PrimitiveKind<Name>): readonly string[] {
  if (typeof change === 'boolean') return [];
  if (!isPlainObject(change)) return ['must be false, true or an object of changes'];
  const others = Object.keys(change).filter((option) => !changeable.includes(option));
  return [
    ...others.map((option) => `"${option}" cannot be changed; only ${changeable.join(', ')} can be changed`),
    ...checkOptions(checks, change),
  ];
}

function describeUnknown<Name extends MemberKind>(
  name: string,
  kind: PrimitiveKind<Name>,
  members: readonly Member<Name>[],
): string {
  const known = [...new Set(members.map(getWireName))];
  if (known.length === 0) return `the server has no ${kind.name}`;
  const near = findNearestName(name, known);
  const guess = near === undefined ? '' : `; did you mean "${near}"?`;
  return `the server has no ${kind.name} "${name}", only ${known.join(', ')}${guess}`;
}
