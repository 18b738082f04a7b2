import path from 'node:path';

import { foldName } from '../paths/fold-name.ts';
import { isShortName } from '../paths/windows-names.ts';
import { gone } from './anchor.ts';
import type { Calls } from './calls.ts';

/** Entries of a directory that are compared by inode number; in a larger one an alias without any likeness is refused. */
const MOST_COMPARED = 10_000;

/**
 * The name under which a directory lists what it opens by another one. File systems that ignore case, normal forms or dots at the end,
 * or that know short names and streams, open one file by many names; a rule is about one of them.
 *
 * An ordinary directory costs one look-up, of the name with its case swapped. The directory is read only if that exists.
 *
 * @param directory a path for calls of `node:fs`
 * @returns the name itself where nothing has it; `undefined` for what exists and is not listed, such as a stream of a file
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
 * {@link listedName} for each name of a path that contains no link.
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

/** {@link listedNames} from the root of the file system; a name that is not listed, as on an automatic mount, stays as it is. */
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
  if (/[. ]/.test(name.at(-1) ?? '') || name.includes(':') || isShortName(name)) return true;
  for (const spelling of otherSpellings(name)) {
    if ((await calls.find(path.join(directory, spelling))) !== undefined) return true;
  }
  return false;
}

/** Spellings of which at least one exists beside a name where the file system takes both for the same. */
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

/** The only one of several entries that is the same file; `undefined` if none is, or two are. */
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
