import { platform } from 'node:os';
import path from 'node:path';

import { ToolError, type Candidates } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { toEntryType, type EntryType } from '../storage/entry-type.ts';
import { visibleName } from '../text/format.ts';
import { toAbsolutePath } from './file-resource.ts';

/** Time limit in milliseconds, because a person is typing. Entries that are read later are not offered. */
const TIME_LIMIT_MS = 250;
/** Number of entries between two checks of the clock. */
const STEPS = 256;
/** Maximum number of names of the directory that are returned; a response of the protocol contains at most 100 names. */
const MAX_NAMES = 1000;

const NONE = { values: [], hasMore: false };

type Completed = Exclude<Candidates, readonly string[]>;

interface Candidate {
  readonly name: string;
  readonly type: EntryType;
}

/**
 * Completes a path. Returns the roots that begin with an absolute `typed`, and the names in the typed directory that begin with
 * the typed name, in any letter case. Directories end with a slash. Names that begin with a dot are returned only if the typed
 * name begins with a dot.
 *
 * @param wanted `directory` excludes files
 */
export async function completePath(roots: Roots, typed: string, wanted: 'any' | 'directory' = 'any'): Promise<Completed> {
  const named = path.isAbsolute(typed) ? findRoots(roots, typed) : [];
  const below = await findNames(roots, typed, wanted);
  return { values: [...named, ...below.values], hasMore: below.hasMore };
}

/**
 * Completes the variable of `file:///{+path}`. If no absolute path matches, completes `typed` as a path relative to the first
 * root, to an absolute path.
 */
export async function completeUriPath(roots: Roots, typed: string): Promise<Completed> {
  const { values, hasMore } = await completePath(roots, toAbsolutePath({ path: typed }));
  const [first] = roots.directories;
  if (values.length > 0 || hasMore || typed === '' || first === undefined) return { values: values.map(toVariable), hasMore };
  const relative = await completePath(roots, typed);
  return { ...relative, values: relative.values.map((value) => toVariable(withSlash(first.path) + value)) };
}

function findRoots({ directories }: Roots, typed: string): readonly string[] {
  return directories.map((root) => withSlash(root.path)).filter((root) => root !== typed && startsLike(root, typed));
}

async function findNames(roots: Roots, typed: string, wanted: 'any' | 'directory'): Promise<Completed> {
  const end = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf(path.sep)) + 1;
  const above = typed.slice(0, end);
  try {
    await using directory = await roots.openDirectory(above === '' ? '.' : above);
    const { found, isComplete } = await readMatching(directory, (one) => isOffered(one, typed.slice(end), wanted));
    found.sort((one, other) => (one.name < other.name ? -1 : 1));
    const permitted = found.slice(0, MAX_NAMES).filter(({ name }) => !directory.isDenied(name));
    const values = permitted.map(({ name, type }) => above + name + (type === 'directory' ? '/' : ''));
    return { values, hasMore: !isComplete || found.length > MAX_NAMES };
  } catch (error) {
    if (ToolError.is(error)) return NONE;
    throw error;
  }
}

async function readMatching(
  directory: OpenDirectory,
  isOffered: (one: Candidate) => boolean,
): Promise<{ readonly found: Candidate[]; readonly isComplete: boolean }> {
  const found: Candidate[] = [];
  const deadline = performance.now() + TIME_LIMIT_MS;
  let count = 0;
  for await (const entry of directory.entries()) {
    count += 1;
    if (count % STEPS === 0 && performance.now() > deadline) return { found, isComplete: false };
    const one = { name: entry.name, type: toEntryType(entry) };
    if (isOffered(one)) found.push(one);
  }
  return { found, isComplete: true };
}

/**
 * Returns whether an entry is offered. A link is offered without being resolved, even if only directories are wanted. Not offered
 * are names that do not match, names with invisible or undecodable characters, hidden names without a typed dot, sockets, FIFOs
 * and devices.
 */
function isOffered({ name, type }: Candidate, typed: string, wanted: 'any' | 'directory'): boolean {
  if (!startsLike(name, typed) || (name.startsWith('.') && !typed.startsWith('.'))) return false;
  if (type === 'other' || (type === 'file' && wanted === 'directory')) return false;
  return visibleName(name) === name && !name.includes('\uFFFD');
}

function startsLike(text: string, typed: string): boolean {
  return text.toLowerCase().startsWith(typed.toLowerCase());
}

function withSlash(directory: string): string {
  return directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`;
}

/** Converts an absolute path to the value of the variable in `file:///{+path}`. */
function toVariable(absolute: string): string {
  return platform() === 'win32' ? absolute.replaceAll(path.sep, '/') : absolute.slice(1);
}
