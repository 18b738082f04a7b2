import { invalidPath } from '../failures.ts';
import { namesBelow } from './contained.ts';
import { NAMING, WINDOWS, type Naming } from './naming.ts';
import { strangeness } from './windows-names.ts';

/** As many bytes as Linux takes in a path. */
const MAX_PATH = 4096;

/** A directory with the two paths by which clients may know it. */
export interface Named {
  readonly path: string;
  readonly realPath: string;
}

/** Where a path lies by its text alone. */
export interface Located<Directory> {
  readonly directory: Directory;
  /** The names that lead there from the directory. */
  readonly names: readonly string[];
  /** Absolute and normalised. */
  readonly target: string;
}

/**
 * Finds the directory that holds a path, by text alone: nothing is touched, so no network and no automatic mount is.
 *
 * @param given absolute, or relative to the first directory; `.` and `..` are taken out before any link is looked at
 * @returns `undefined` for what is outside
 * @throws ToolError INVALID_PATH for a text that is no path
 */
export function locate<Directory extends Named>(
  given: string,
  directories: readonly Directory[],
  naming: Naming = NAMING,
): Located<Directory> | undefined {
  requirePath(given);
  const [first] = directories;
  if (first === undefined || (naming === WINDOWS && isForeign(given))) return undefined;
  const target = naming.paths.resolve(first.path, given);
  for (const directory of directories) {
    const names = namesBelow(directory.path, target, naming) ?? namesBelow(directory.realPath, target, naming);
    if (names === undefined) continue;
    if (naming === WINDOWS) requireOrdinary(names);
    return { directory, names, target };
  }
  return undefined;
}

function requirePath(given: string): void {
  if (given === '') throw invalidPath('the path is empty');
  if (given.includes('\0')) throw invalidPath('the path contains a NUL character');
  if (Buffer.byteLength(given) > MAX_PATH) throw invalidPath(`the path is longer than ${MAX_PATH} bytes`);
}

/** `C:name` depends on a directory that nobody named; `\\?\` and `\\.\` are paths that Windows does not look at. */
function isForeign(given: string): boolean {
  return /^[a-z]:(?![\\/])/i.test(given) || /^[\\/]{2}[.?][\\/]/.test(given) || /^[\\/]\?\?[\\/]/.test(given);
}

function requireOrdinary(names: readonly string[]): void {
  for (const name of names) {
    const reason = strangeness(name);
    if (reason !== undefined) throw invalidPath(`the name ${JSON.stringify(name.slice(0, 255))} ${reason}`);
  }
}
