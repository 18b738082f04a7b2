import { isContained } from '../paths/contained.ts';
import { innermost } from '../paths/innermost.ts';
import type { Named } from '../paths/locate.ts';
import { normalForm } from '../paths/spellings.ts';
import { compileGlob, GlobError } from './glob.ts';
import { holdsHidden, isHidden, type Hidden } from './hidden.ts';

/** What may not be touched although it lies inside the roots. */
export interface Policy {
  /** Why an absolute path may not be touched, as the end of a sentence about it; `undefined`: it may. */
  readonly forbids: (absolute: string) => string | undefined;
  /** Why a directory may neither be moved nor removed, though it may be touched. */
  readonly keeps: (absolute: string) => string | undefined;
}

/** Globs of what is denied, and of what is nevertheless allowed. */
export interface Patterns {
  readonly deny: readonly Pattern[];
  readonly allow: readonly Pattern[];
}

/** One glob; without a slash it is about every name of a path, with one about the path and all that leads there. */
interface Pattern {
  readonly text: string;
  readonly matches: (name: string, path: string) => boolean;
}

/** The kernel's own trees, where a read may hang and a write may do anything. */
export const KERNEL: readonly string[] = ['/proc', '/sys', '/dev'];

/** @throws GlobError */
export function patternsOf(deny: readonly string[], allow: readonly string[]): Patterns {
  return { deny: deny.map(patternOf), allow: allow.map(patternOf) };
}

/** @param roots the directories that globs are relative to; of those that hold a path the innermost counts */
export function policyOf(roots: readonly Named[], patterns: Patterns, hidden: Hidden): Policy {
  return {
    keeps: (absolute) => (holdsHidden(hidden, absolute) ? 'holds what belongs to the server' : undefined),
    forbids: (absolute) => {
      if (isHidden(hidden, absolute)) return 'belongs to the server';
      const holding = innermost(roots, absolute);
      return holding && (kernelTree(holding.directory, absolute) ?? deniedBy(holding.names, patterns));
    },
  };
}

function patternOf(text: string): Pattern {
  const glob = normalForm(text.replace(/\/$/, ''));
  const matches = matcherOf(glob.replace(/^\//, ''));
  const isPath = glob.includes('/');
  return { text, matches: (name, path) => matches(isPath ? path : name) };
}

function matcherOf(glob: string): (path: string) => boolean {
  try {
    return compileGlob(glob);
  } catch (error) {
    throw error instanceof GlobError ? new GlobError(`the glob ${JSON.stringify(glob)} cannot be used: ${error.message}`) : error;
  }
}

/** Name by name: what lies in a directory that is denied is denied, too, unless an exception comes after it. */
function deniedBy(names: readonly string[], { deny, allow }: Patterns): string | undefined {
  let denial: Pattern | undefined;
  for (const [index, name] of deny.length === 0 ? [] : names.map(normalForm).entries()) {
    const path = normalForm(names.slice(0, index + 1).join('/'));
    denial ??= deny.find(({ matches }) => matches(name, path));
    if (denial !== undefined && allow.some(({ matches }) => matches(name, path))) denial = undefined;
  }
  return denial && `matches ${JSON.stringify(denial.text)}, which the operator denies`;
}

/** Whoever names such a directory as a root means it. */
function kernelTree(root: Named, absolute: string): string | undefined {
  const tree = KERNEL.find((directory) => isContained(directory, absolute) && !isContained(directory, root.realPath));
  return tree && `is in ${tree}, which belongs to the kernel`;
}
