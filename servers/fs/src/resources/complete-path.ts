import { platform } from 'node:os';
import path from 'node:path';

import { ToolError, type Candidates } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { entryTypeOf, type EntryType } from '../entry-type.ts';
import { visibleName } from '../text/escape.ts';
import { absolutePathOf } from './file-uri.ts';

/** Whoever types does not wait for longer; what was not looked at by then is not offered. */
const LONGEST_MS = 250;
/** The clock is looked at once in so many entries. */
const STEPS = 256;
/** More are not offered: a hundred of them are sent. */
const MOST = 1000;

const NONE = { values: [], hasMore: false };

type Completed = Exclude<Candidates, readonly string[]>;

interface Found {
  readonly name: string;
  readonly type: EntryType;
}

/**
 * What a path may be that begins like this, of any case: names in the directory that it leads to so far, and roots. Directories end with
 * a slash; names that begin with a dot are offered where a dot was typed.
 *
 * @param wanted `directory`: no files
 */
export async function completePath(roots: Roots, typed: string, wanted: 'any' | 'directory' = 'any'): Promise<Completed> {
  const named = path.isAbsolute(typed) ? rootsLike(roots, typed) : [];
  const below = await namesLike(roots, typed, wanted);
  return { values: [...named, ...below.values], hasMore: below.hasMore };
}

/** The same for the variable of `file:///{+path}`, an absolute path; one from the first root stands for that. */
export async function completeUriPath(roots: Roots, typed: string): Promise<Completed> {
  const { values, hasMore } = await completePath(roots, absolutePathOf({ path: typed }));
  const [first] = roots.directories;
  if (values.length > 0 || hasMore || typed === '' || first === undefined) return { values: values.map(variableOf), hasMore };
  const relative = await completePath(roots, typed);
  return { ...relative, values: relative.values.map((value) => variableOf(withSlash(first.path) + value)) };
}

function rootsLike({ directories }: Roots, typed: string): readonly string[] {
  return directories.map((root) => withSlash(root.path)).filter((root) => root !== typed && isLike(root, typed));
}

async function namesLike(roots: Roots, typed: string, wanted: 'any' | 'directory'): Promise<Completed> {
  const end = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf(path.sep)) + 1;
  const above = typed.slice(0, end);
  try {
    await using directory = await roots.openDirectory(above === '' ? '.' : above);
    const { found, isComplete } = await lookThrough(directory, (one) => isOffered(one, typed.slice(end), wanted));
    found.sort((one, other) => (one.name < other.name ? -1 : 1));
    const permitted = found.slice(0, MOST).filter(({ name }) => !directory.isDenied(name));
    const values = permitted.map(({ name, type }) => above + name + (type === 'directory' ? '/' : ''));
    return { values, hasMore: !isComplete || found.length > MOST };
  } catch (error) {
    if (ToolError.is(error)) return NONE;
    throw error;
  }
}

async function lookThrough(
  directory: OpenDirectory,
  isOffered: (one: Found) => boolean,
): Promise<{ readonly found: Found[]; readonly isComplete: boolean }> {
  const found: Found[] = [];
  const deadline = performance.now() + LONGEST_MS;
  let looks = 0;
  for await (const entry of directory.entries()) {
    looks += 1;
    if (looks % STEPS === 0 && performance.now() > deadline) return { found, isComplete: false };
    const one = { name: entry.name, type: entryTypeOf(entry) };
    if (isOffered(one)) found.push(one);
  }
  return { found, isComplete: true };
}

/** A link may lead to anything. A name that cannot be seen or told is not to be chosen by looking at it. */
function isOffered({ name, type }: Found, typed: string, wanted: 'any' | 'directory'): boolean {
  if (!isLike(name, typed) || (name.startsWith('.') && !typed.startsWith('.'))) return false;
  if (type === 'other' || (type === 'file' && wanted === 'directory')) return false;
  return visibleName(name) === name && !name.includes('\uFFFD');
}

function isLike(text: string, typed: string): boolean {
  return text.toLowerCase().startsWith(typed.toLowerCase());
}

function withSlash(directory: string): string {
  return directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`;
}

/** An absolute path as `file:///{+path}` has it. */
function variableOf(absolute: string): string {
  return platform() === 'win32' ? absolute.replaceAll(path.sep, '/') : absolute.slice(1);
}
