import path from 'node:path';

import { foldName, isShortName } from '../paths/fold-name.ts';
import type { FileSystemCalls } from './file-system-calls.ts';
import { createVanishedError } from './pinned-path.ts';

/**
 * Maximum number of entries that are compared by inode number. In a larger directory, an alias without a similar name is not found.
 */
const MAX_COMPARED = 10_000;

/**
 * Returns the name under which a directory lists a file that was opened by another name. File systems that ignore case, normal
 * forms or trailing dots, or that support short names and streams, open one file by many names. Rules apply to the listed name.
 *
 * An ordinary ASCII name costs one lookup, of the name in the other case. The directory is read only if another spelling or the
 * file of an alias exists, or if the name has the form of a short name.
 *
 * @param directory a path for calls of `node:fs`
 * @returns the name itself if it does not exist; `undefined` if it exists and is not listed, such as a stream of a file
 * @throws Error EACCES if the directory has to be read and may not be
 */
export async function findListedName(calls: FileSystemCalls, directory: string, name: string): Promise<string | undefined> {
  if (!(await mayBeAlias(calls, directory, name)) || (await calls.tryLstat(path.join(directory, name))) === undefined)
    return name;
  const entries = await calls.readdir(directory);
  if (entries.includes(name)) return name;
  const folded = foldName(name);
  const alike = entries.filter((entry) => foldName(entry) === folded);
  return alike.length === 1 ? alike[0] : findSameFile(calls, { directory, name }, alike.length === 0 ? entries : alike);
}

/**
 * Applies {@link findListedName} to each name of a path without links.
 * @throws Error ENOENT for a name that exists but that its directory does not list
 */
export async function findListedNames(
  calls: FileSystemCalls,
  directory: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const listed: string[] = [];
  let location = directory;
  for (const name of names) {
    const own = await findListedName(calls, location, name);
    if (own === undefined) throw createVanishedError();
    listed.push(own);
    location = path.join(location, own);
  }
  return listed;
}

/**
 * Applies {@link findListedName} from the root of the file system. A name that is not listed, as on an automatic mount, or
 * whose lookup fails does not change.
 */
export async function findListedPath(calls: FileSystemCalls, absolute: string): Promise<string> {
  const { root } = path.parse(absolute);
  let listed = root;
  for (const name of absolute.slice(root.length).split(path.sep)) {
    if (name === '') continue;
    const own = await findListedName(calls, listed, name).catch(() => undefined);
    listed = path.join(listed, own ?? name);
  }
  return listed;
}

async function mayBeAlias(calls: FileSystemCalls, directory: string, name: string): Promise<boolean> {
  if (isShortName(name)) return true;
  for (const spelling of [...listAliasTargets(name), ...listOtherSpellings(name)]) {
    if ((await calls.tryLstat(path.join(directory, spelling))) !== undefined) return true;
  }
  return false;
}

/**
 * Returns the names of the files that an alias may open: without dots and spaces at the end, and without a stream. An empty
 * name stands for the directory.
 */
function listAliasTargets(name: string): readonly string[] {
  const names: string[] = [];
  for (let end = name.length; end > 0 && '. '.includes(name.charAt(end - 1)); end -= 1) names.push(name.slice(0, end - 1));
  const colon = name.indexOf(':');
  return colon === -1 ? names : [...names, name.slice(0, colon)];
}

/** Returns other spellings of a name. If the file system has several names for the file, at least one of the spellings exists. */
function listOtherSpellings(name: string): readonly string[] {
  const upper = name.toUpperCase();
  const other = upper === name ? name.toLowerCase() : upper;
  if (!/[^ -~]/.test(name)) return other === name ? [] : [other];
  const ascii = name.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  const forms = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => name.normalize(form));
  const spellings = new Set([other, ascii, name.toLowerCase(), ...forms]);
  spellings.delete(name);
  return [...spellings];
}

/** Returns the only entry that is the same file, or `undefined` if there is no single one or too many entries. */
async function findSameFile(
  calls: FileSystemCalls,
  { directory, name }: { readonly directory: string; readonly name: string },
  entries: readonly string[],
): Promise<string | undefined> {
  if (entries.length > MAX_COMPARED) return undefined;
  const { dev, ino } = await calls.lstat(path.join(directory, name));
  const same: string[] = [];
  for (const entry of entries) {
    const facts = await Promise.resolve()
      .then(() => calls.lstat(path.join(directory, entry)))
      .catch(() => undefined);
    if (facts?.ino === ino && facts.dev === dev) same.push(entry);
  }
  return same.length === 1 ? same[0] : undefined;
}
