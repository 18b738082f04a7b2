import path from 'node:path';

import { isContained } from '../paths/contained.ts';
import { holdingsOf, innermost, type Holding } from '../paths/innermost.ts';
import type { Named } from '../paths/locate.ts';
import { allowing, below, denying, EMPTY, mayBeDenied, spellingOf, type GlobSet, type Spelling } from './glob-set.ts';
import { placesOf, type Hidden } from './hidden.ts';

/** What may not be touched although it lies inside the roots. */
export interface Policy {
  /** Why an absolute path may not be touched, as the end of a sentence about it; `undefined`: it may. */
  readonly forbids: (absolute: string) => string | undefined;
  /** Why a directory may neither be moved nor removed, though it may be touched. */
  readonly keeps: (absolute: string) => string | undefined;
  /** Whether names in a directory are denied by default, because the directory itself or one above it is denied. */
  readonly isWithinDenied: (directory: string) => boolean;
}

/** Globs of what is denied, and of what is nevertheless allowed. */
export interface Globs {
  readonly deny: readonly string[];
  readonly denyAnywhere: readonly string[];
  readonly allow: readonly string[];
}

/** Compiled {@link Globs}. */
export interface Patterns extends Globs {
  readonly denies: GlobSet;
  readonly deniesAnywhere: GlobSet;
  readonly allows: GlobSet;
  /** Whether any of {@link Patterns.denies} and {@link Patterns.deniesAnywhere} may match a name. */
  readonly mayDeny: (name: Spelling) => boolean;
}

/** The kernel's own trees, where a read may hang and a write may do anything. */
export const KERNEL: readonly string[] = ['/proc', '/sys', '/dev'];

/** @throws GlobError */
export function patternsOf({ deny, denyAnywhere, allow }: Globs): Patterns {
  return {
    deny,
    denyAnywhere,
    allow,
    denies: denying(deny),
    deniesAnywhere: denying(denyAnywhere.map(anywhere)),
    allows: allowing(allow),
    mayDeny: mayBeDenied([...deny, ...denyAnywhere]),
  };
}

/** @param roots base directories of the globs; each root that contains a path counts, not only the innermost one */
export function policyOf(roots: readonly Named[], patterns: Patterns, hidden: Hidden): Policy {
  const denialOf = (absolute: string): string | undefined => deniedBy(holdingsOf(roots, absolute), absolute, patterns);
  const own = placesOf(hidden);
  return {
    keeps: (absolute) => (own.isBelow(absolute) ? 'holds what belongs to the server' : undefined),
    forbids: (absolute) => {
      if (own.contains(absolute)) return 'belongs to the server';
      const holding = innermost(roots, absolute);
      // A root itself can always be listed; the rules apply to each name inside.
      if (holding === undefined || holding.names.length === 0) return undefined;
      return kernelTree(holding.directory, absolute) ?? denialOf(absolute);
    },
    isWithinDenied: (directory) => denialOf(directory) !== undefined,
  };
}

/** Returns the path of a directory relative to each base of the globs. */
export function pathsAbove(holdings: readonly Holding<Named>[]): readonly Spelling[] {
  return holdings.map(({ names }) => pathOf(names));
}

/** Returns the path of a directory relative to the root of the file system. */
export function pathFromTop(directory: string): Spelling {
  return pathOf(namesOf(directory));
}

/** Name by name: what lies in a directory that is denied is denied, too, unless an exception comes after it. */
function deniedBy(holdings: readonly Holding<Named>[], absolute: string, patterns: Patterns): string | undefined {
  if (patterns.deny.length + patterns.denyAnywhere.length === 0) return undefined;
  const names = namesOf(absolute);
  const starts = holdings.map((holding) => names.length - holding.names.length);
  let above: readonly Spelling[] = [];
  let top = EMPTY;
  let denial: string | undefined;
  for (const [index, each] of names.entries()) {
    const name = spellingOf(each);
    above = [...above, ...starts.filter((start) => start === index).map(() => EMPTY)];
    if (patterns.mayDeny(name)) denial ??= denialAt({ name, above, top }, patterns);
    if (denial !== undefined && above.length > 0 && patterns.allows(name, above)) denial = undefined;
    above = above.map((path) => below(path, name));
    top = below(top, name);
  }
  return denial;
}

interface Position {
  readonly name: Spelling;
  readonly above: readonly Spelling[];
  readonly top: Spelling;
}

function denialAt({ name, above, top }: Position, patterns: Patterns): string | undefined {
  if (above.length > 0 && patterns.denies(name, above)) {
    const glob = patterns.deny.find((one) => denying([one])(name, above));
    return `matches ${JSON.stringify(glob)}, which the operator denies`;
  }
  if (!patterns.deniesAnywhere(name, [top])) return undefined;
  const glob = patterns.denyAnywhere.find((one) => denying([anywhere(one)])(name, [top]));
  return `matches ${JSON.stringify(glob)}, which is denied unless the operator allows it by a glob`;
}

function anywhere(glob: string): string {
  return glob.includes('/') ? `**/${glob}` : glob;
}

function namesOf(absolute: string): readonly string[] {
  return absolute
    .slice(path.parse(absolute).root.length)
    .split(path.sep)
    .filter((name) => name !== '');
}

function pathOf(names: readonly string[]): Spelling {
  return names.reduce((above, name) => below(above, spellingOf(name)), EMPTY);
}

/** Whoever names such a directory as a root means it. */
function kernelTree(root: Named, absolute: string): string | undefined {
  const tree = KERNEL.find((directory) => isContained(directory, absolute) && !isContained(directory, root.realPath));
  return tree && `is in ${tree}, which belongs to the kernel`;
}
