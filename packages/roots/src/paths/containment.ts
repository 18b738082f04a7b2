import { createInvalidPathError } from '../errors/path-errors.ts';
import { parsePath } from './file-uri.ts';
import { NAMING, type Naming, WINDOWS } from './naming.ts';
import { explainUnusualName } from './fold-name.ts';

/** The two paths by which clients may know a directory. */
export interface DirectoryPaths {
  readonly path: string;
  readonly realPath: string;
}

/**
 * Returns the names from a directory to a path below it. The result is empty for the directory itself, and `undefined` for
 * any other path: `/srv/safe_evil` is not below `/srv/safe`.
 *
 * @param directory absolute and normalised, like the candidate
 */
export function namesBelow(directory: string, candidate: string, naming: Naming = NAMING): readonly string[] | undefined {
  const { sep } = naming.paths;
  // Fast path: nearly always, both paths spell the directory in the same way.
  const start = withSeparator(directory, naming);
  if (candidate.startsWith(start)) return candidate.slice(start.length).split(sep).filter(isName);
  if (candidate === directory) return [];
  if (naming.isExact === true && !directory.endsWith(sep)) return undefined;
  const above = splitPath(directory, naming);
  const parts = splitPath(candidate, naming);
  if (parts.length < above.length || above.some((part, index) => !naming.areEqual(part, parts[index] ?? ''))) return undefined;
  return parts.slice(above.length);
}

/** Returns whether an absolute, normalised path is a directory or is below it. */
export function isContained(directory: string, candidate: string, naming: Naming = NAMING): boolean {
  return candidate.startsWith(withSeparator(directory, naming)) || namesBelow(directory, candidate, naming) !== undefined;
}

function withSeparator(directory: string, { paths: { sep } }: Naming): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}

function splitPath(absolute: string, { paths }: Naming): readonly string[] {
  const { root } = paths.parse(absolute);
  const names = absolute.slice(root.length).split(paths.sep);
  return [root, ...names.filter(isName)];
}

function isName(part: string): boolean {
  return part !== '';
}

/** A directory that contains a path, and the names from the directory to the path. */
export interface Containment<Directory> {
  readonly directory: Directory;
  readonly names: readonly string[];
}

/** Returns the directories that contain a path, by their real path or by their given path. */
export function findContaining<Directory extends DirectoryPaths>(
  directories: readonly Directory[],
  absolute: string,
): readonly Containment<Directory>[] {
  const containments: Containment<Directory>[] = [];
  for (const directory of directories) {
    const names = namesBelow(directory.realPath, absolute) ?? namesBelow(directory.path, absolute);
    if (names !== undefined) containments.push({ directory, names });
  }
  return containments;
}

export function deepestContaining<Directory extends DirectoryPaths>(
  directories: readonly Directory[],
  absolute: string,
): Containment<Directory> | undefined {
  let nearest: Containment<Directory> | undefined;
  for (const containment of findContaining(directories, absolute)) {
    if (containment.names.length < (nearest?.names.length ?? Infinity)) nearest = containment;
  }
  return nearest;
}

/** Maximum length of a path on Linux, in bytes. */
const MAX_PATH = 4096;

/** The position of a path, determined from its text alone. */
export interface LocatedPath<Directory> {
  readonly directory: Directory;
  /** The names from the directory to the path. */
  readonly names: readonly string[];
  /** Absolute and normalised. */
  readonly target: string;
}

/**
 * Finds the directory that contains a path. Only the text is examined, so that no network and no automatic mount is accessed.
 *
 * @param given absolute, relative to the first directory, or a `file:` URI; `.` and `..` are resolved before any link
 * @returns `undefined` for a path outside the directories
 * @throws ToolError INVALID_PATH for a text that is not a path
 */
export function locatePath<Directory extends DirectoryPaths>(
  given: string,
  directories: readonly Directory[],
  naming: Naming = NAMING,
): LocatedPath<Directory> | undefined {
  requirePath(given);
  const named = parsePath(given, naming);
  const [first] = directories;
  if (first === undefined || (naming === WINDOWS && isForeign(named))) return undefined;
  const target = naming.paths.resolve(first.path, named);
  for (const directory of directories) {
    const names = namesBelow(directory.path, target, naming) ?? namesBelow(directory.realPath, target, naming);
    if (names === undefined) continue;
    if (naming === WINDOWS) requireOrdinaryNames(names);
    return { directory, names, target };
  }
  return undefined;
}

/**
 * Returns the name of a directory entry unchanged.
 *
 * @throws ToolError INVALID_PATH for a path, and for a name with a special meaning
 */
export function requireName(name: string): string {
  const isName = name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && !name.includes('/');
  if (!isName || (NAMING === WINDOWS && (name.includes('\\') || explainUnusualName(name) !== undefined)))
    throw createInvalidPathError(`${JSON.stringify(name.slice(0, 255))} is not the name of a file`);
  return name;
}

function requirePath(given: string): void {
  if (given === '') throw createInvalidPathError('the path is empty');
  if (given.includes('\0')) throw createInvalidPathError('the path contains a NUL character');
  if (Buffer.byteLength(given) > MAX_PATH) throw createInvalidPathError(`the path is longer than ${MAX_PATH} bytes`);
}

/**
 * Whether Windows interprets a path in a special way: `C:name` is relative to the current directory of a drive, and
 * `\\?\` and `\\.\` paths are not normalised.
 */
function isForeign(given: string): boolean {
  return /^[a-z]:(?![\\/])/i.test(given) || /^[\\/]{2}[.?][\\/]/.test(given) || /^[\\/]\?\?[\\/]/.test(given);
}

function requireOrdinaryNames(names: readonly string[]): void {
  for (const name of names) {
    const reason = explainUnusualName(name);
    if (reason !== undefined) throw createInvalidPathError(`the name ${JSON.stringify(name.slice(0, 255))} ${reason}`);
  }
}
