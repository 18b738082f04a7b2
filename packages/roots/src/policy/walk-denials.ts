import path from 'node:path';

import { type DirectoryPaths, findContaining } from '../paths/containment.ts';
import { foldPath } from '../paths/fold-name.ts';
import { spellName } from './glob-set.ts';
import {
  type HiddenDirectories,
  KERNEL_TREES,
  spellAbsolutePath,
  spellRelativePaths,
  compileGlobs,
  createPolicy,
  type Globs,
} from './policy.ts';

/** Deny rules as plain values that can be sent to a worker thread. */
export interface Denials extends Globs {
  /** The base directories of the globs. */
  readonly roots: readonly DirectoryPaths[];
  readonly hidden: HiddenDirectories;
}

/** Deny rules for a worker thread. */
export interface WalkDenials {
  /** Returns whether access to a path is denied. For paths that a walk does not visit, such as the target of a link. */
  readonly isDenied: (absolute: string) => boolean;
  /**
   * Returns a function that reports whether a name in a directory is denied. The names in the path of the directory are listed
   * names. The function requires a walk that skips denied directories. This assumption makes the function about 100 times
   * faster than `isDenied`.
   */
  readonly inDirectory: (directory: string) => (name: string) => boolean;
}

export function walkDenials({ roots, hidden, ...globs }: Denials): WalkDenials {
  const patterns = compileGlobs(globs);
  const { explainDenial, isWithinDenied } = createPolicy(roots, patterns, hidden);
  const isDenied = (absolute: string): boolean => explainDenial(absolute) !== undefined;
  const begins = new Set(
    [...roots.map(({ realPath }) => realPath), ...KERNEL_TREES, ...hidden].map((begin) => foldPath(path.dirname(begin))),
  );
  const inDirectory = (directory: string): ((name: string) => boolean) => {
    const containments = findContaining(roots, directory);
    // In the parent of a root, of a kernel tree or of a hidden directory, the rules differ from name to name.
    const isOrdinary = !begins.has(foldPath(directory));
    if (containments.length === 0 || !isOrdinary) return (name) => isDenied(path.join(directory, name));
    const above = spellRelativePaths(containments);
    const top = [spellAbsolutePath(directory)];
    const isWithin = isWithinDenied(directory);
    return (given) => {
      const name = spellName(given);
      if (!isWithin && !patterns.mayDeny(name)) return false;
      const isNamed = isWithin || patterns.denies(name, above) || patterns.deniesAnywhere(name, top);
      return isNamed && !patterns.allows(name, above);
    };
  };
  return { isDenied, inDirectory };
}
