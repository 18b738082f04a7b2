import path from 'node:path';

import { foldName } from '../paths/fold-name.ts';
import { isShortName } from '../paths/windows-names.ts';
import { gone } from './anchor.ts';
import type { Calls } from './calls.ts';

/**
 * Maximum number of entries that are compared by inode number. In a larger directory, an alias without a similar name is not found.
 */
const MOST_COMPARED = 10_000;

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
export async function listedName(calls: Calls, directory: string, name: string): Promise<string | undefined> {
  if (!(await mayBeAlias(calls, directory, name)) || (await calls.find(path.join(directory, name))) === undefined) return name;
  const entries = await calls.readdir(directory);
  if (entries.includes(name)) return name;
  const folded = foldName(name);
  const alike = entries.filter((entry) => foldName(entry) === folded);
  return alike.length === 1 ? alike[0] : sameOf(calls, { directory, name }, alike.length === 0 ? entries : alike);
}

/**
 * Applies {@link listedName} to each name of a path without links.
 *
 * @throws Error ENOENT for a name that exists and is not listed
 */
export async function listedNames(calls: Calls, directory: string, names: readonly string[]): Promise<readonly string[]> {
  const listed: string[] = [];
  let way = directory;
  for (const name of names) {
    const own = await listedName(calls, way, name);
    if (own === undefined) throw gone();
    listed.push(own);
    way = path.join(way, own);
  }
  return listed;
}

/**
 * Applies {@link listedName} from the root of the file system. A name that is not listed, as on an automatic mount, does not
 * change.
 */
export async function listedPath(calls: Calls, absolute: string): Promise<string> {
  const { root } = path.parse(absolute);
  let listed = root;
  for (const name of absolute.slice(root.length).split(path.sep)) {
    if (name === '') continue;
    const own = await listedName(calls, listed, name).catch(() => undefined);
    listed = path.join(listed, own ?? name);
  }
  return listed;
}

async function mayBeAlias(calls: Calls, directory: string, name: string): Promise<boolean> {
  if (isShortName(name)) return true;
  for (const spelling of [...aliased(name), ...otherSpellings(name)]) {
    if ((await calls.find(path.join(directory, spelling))) !== undefined) return true;
  }
  return false;
}

/** Returns the names that a file may have if the given name has an ignored end or names a stream. An empty name is the directory. */
function aliased(name: string): readonly string[] {
  const names: string[] = [];
  for (let end = name.length; end > 0 && '. '.includes(name.charAt(end - 1)); end -= 1) names.push(name.slice(0, end - 1));
  const colon = name.indexOf(':');
  return colon === -1 ? names : [...names, name.slice(0, colon)];
}

/** Returns other spellings of a name. If the file system has several names for the file, at least one of the spellings exists. */
function otherSpellings(name: string): readonly string[] {
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
async function sameOf(
  calls: Calls,
  { directory, name }: { readonly directory: string; readonly name: string },
  entries: readonly string[],
): Promise<string | undefined> {
  if (entries.length > MOST_COMPARED) return undefined;
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
