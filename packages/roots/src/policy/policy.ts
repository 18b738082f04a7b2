import path from 'node:path';
import { realpath } from 'node:fs/promises';

import { isContained, type DirectoryPaths, findContaining, deepestContaining, type Containment } from '../paths/containment.ts';
import { foldPath } from '../paths/fold-name.ts';
import { errorCode } from '../errors/error-code.ts';
import { POOLED_CALLS } from '../pinning/file-system-calls.ts';
import { findListedPath } from '../pinning/listed-name.ts';
import {
  compileAllowing,
  appendName,
  compileDenying,
  EMPTY_PATH,
  compilePrecheck,
  spellName,
  type GlobSet,
  type Spelling,
} from './glob-set.ts';

/** Access rules inside the roots. */
export interface Policy {
  /**
   * Returns the reason why an absolute path must not be accessed, as the end of a sentence about the path; `undefined`
   * if it may be accessed.
   */
  readonly explainDenial: (absolute: string) => string | undefined;
  /** Returns the reason why a directory must not be moved or removed; `undefined` if it may be moved and removed. */
  readonly explainImmovable: (absolute: string) => string | undefined;
  /** Returns whether names in a directory are denied by default, because the directory itself or one above it is denied. */
  readonly isWithinDenied: (directory: string) => boolean;
}

/** Globs of denied paths and of exceptions. */
export interface Globs {
  readonly deny: readonly string[];
  readonly denyAnywhere: readonly string[];
  readonly allow: readonly string[];
}

/** Compiled {@link Globs}. */
export interface CompiledGlobs extends Globs {
  readonly denies: GlobSet;
  readonly deniesAnywhere: GlobSet;
  readonly allows: GlobSet;
  /** Returns whether any of {@link CompiledGlobs.denies} and {@link CompiledGlobs.deniesAnywhere} may match a name. */
  readonly mayDeny: (name: string) => boolean;
}

/** File trees of the kernel, in which a read may block and a write may have any effect. */
export const KERNEL_TREES: readonly string[] = ['/proc', '/sys', '/dev'];

/** Compiles the globs of a policy. @throws GlobError for an invalid glob */
export function compileGlobs({ deny, denyAnywhere, allow }: Globs): CompiledGlobs {
  return {
    deny,
    denyAnywhere,
    allow,
    denies: compileDenying(deny),
    deniesAnywhere: compileDenying(denyAnywhere.map(anywhere)),
    allows: compileAllowing(allow),
    mayDeny: compilePrecheck([...deny, ...denyAnywhere]),
  };
}

/** @param roots base directories of the globs; each root that contains a path counts, not only the deepest one */
export function createPolicy(roots: readonly DirectoryPaths[], patterns: CompiledGlobs, hidden: HiddenDirectories): Policy {
  const explainGlobDenial = (absolute: string): string | undefined =>
    findDenial(findContaining(roots, absolute), absolute, patterns);
  const own = createHiddenMatcher(hidden);
  return {
    explainImmovable: (absolute) =>
      own.isAbove(absolute) ? "contains a directory that is reserved for the server's own data" : undefined,
    explainDenial: (absolute) => {
      if (own.contains(absolute)) return "is reserved for the server's own data";
      const containment = deepestContaining(roots, absolute);
      // These rules do not apply to a root itself, so that it can be listed; they apply to each name inside.
      if (containment === undefined || containment.names.length === 0) return undefined;
      return explainKernelTree(containment.directory, absolute) ?? explainGlobDenial(absolute);
    },
    isWithinDenied: (directory) => explainGlobDenial(directory) !== undefined,
  };
}

/** Returns the path of a directory relative to each root that contains the directory. */
export function spellRelativePaths(containments: readonly Containment<DirectoryPaths>[]): readonly Spelling[] {
  return containments.map(({ names }) => joinSpellings(names));
}

/** Returns the path of a directory relative to the root of the file system. */
export function spellAbsolutePath(directory: string): Spelling {
  return joinSpellings(splitPath(directory));
}

/**
 * Returns the reason why the globs deny a path. Checks name by name: the contents of a denied directory are denied too, unless
 * an exception matches a later name.
 */
function findDenial(
  containments: readonly Containment<DirectoryPaths>[],
  absolute: string,
  patterns: CompiledGlobs,
): string | undefined {
  if (patterns.deny.length + patterns.denyAnywhere.length === 0) return undefined;
  const names = splitPath(absolute);
  const starts = containments.map((containment) => names.length - containment.names.length);
  let above: readonly Spelling[] = [];
  let top = EMPTY_PATH;
  let denial: string | undefined;
  for (const [index, each] of names.entries()) {
    const name = spellName(each);
    above = [...above, ...starts.filter((start) => start === index).map(() => EMPTY_PATH)];
    if (patterns.mayDeny(each)) denial ??= explainDenialAt({ name, above, top }, patterns);
    if (denial !== undefined && above.length > 0 && patterns.allows(name, above)) denial = undefined;
    above = above.map((path) => appendName(path, name));
    top = appendName(top, name);
  }
  return denial;
}

interface Position {
  readonly name: Spelling;
  readonly above: readonly Spelling[];
  readonly top: Spelling;
}

function explainDenialAt({ name, above, top }: Position, patterns: CompiledGlobs): string | undefined {
  if (above.length > 0 && patterns.denies(name, above)) {
    const glob = patterns.deny.find((one) => compileDenying([one])(name, above));
    return `matches ${JSON.stringify(glob)}, which the operator denies`;
  }
  if (!patterns.deniesAnywhere(name, [top])) return undefined;
  const glob = patterns.denyAnywhere.find((one) => compileDenying([anywhere(one)])(name, [top]));
  return `matches ${JSON.stringify(glob)}, which is denied unless the operator allows it by a glob`;
}

function anywhere(glob: string): string {
  return glob.includes('/') ? `**/${glob}` : glob;
}

function splitPath(absolute: string): readonly string[] {
  return absolute
    .slice(path.parse(absolute).root.length)
    .split(path.sep)
    .filter((name) => name !== '');
}

function joinSpellings(names: readonly string[]): Spelling {
  return names.reduce((above, name) => appendName(above, spellName(name)), EMPTY_PATH);
}

/**
 * Returns the reason why a path in a file tree of the kernel must not be accessed. Returns `undefined` for other paths, and if
 * the root is in the same tree.
 */
function explainKernelTree(root: DirectoryPaths, absolute: string): string | undefined {
  const tree = KERNEL_TREES.find((directory) => isContained(directory, absolute) && !isContained(directory, root.realPath));
  return tree && `is in ${tree}, which belongs to the kernel`;
}

/** The server's own directories, by every path that may reach them. */
export type HiddenDirectories = readonly string[];

/** Compares paths with the hidden directories, in any spelling. */
interface HiddenMatcher {
  readonly contains: (absolute: string) => boolean;
  /** Whether a hidden directory is at this path or below it. */
  readonly isAbove: (absolute: string) => boolean;
}

function createHiddenMatcher(hidden: HiddenDirectories): HiddenMatcher {
  const directories = hidden.map((directory) => withSlash(foldPath(directory)));
  return {
    contains: (absolute) => {
      const folded = withSlash(foldPath(absolute));
      return directories.some((directory) => folded.startsWith(directory));
    },
    isAbove: (absolute) => {
      const folded = withSlash(foldPath(absolute));
      return directories.some((directory) => directory.startsWith(folded));
    },
  };
}

function withSlash(absolute: string): string {
  return absolute.endsWith(path.sep) ? absolute : absolute + path.sep;
}

/** Returns the given and the real paths of directories, including directories that do not exist yet. */
export async function resolveHidden(directories: readonly string[]): Promise<HiddenDirectories> {
  const absolute = directories.map((directory) => path.resolve(directory));
  return [...new Set([...absolute, ...(await Promise.all(absolute.map(resolveExistingPart)))])];
}

/** Returns a real path. For a missing path, resolves the deepest existing directory and appends the remaining names. */
async function resolveExistingPart(absolute: string): Promise<string> {
  try {
    return await findListedPath(POOLED_CALLS, await realpath(absolute));
  } catch (error) {
    const parent = path.dirname(absolute);
    if (errorCode(error) !== 'ENOENT' || parent === absolute) return absolute;
    return path.join(await resolveExistingPart(parent), path.basename(absolute));
  }
}
