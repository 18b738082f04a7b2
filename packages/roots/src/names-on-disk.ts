import path from 'node:path';

import { gone } from './hold/anchor.ts';
import type { Calls } from './hold/calls.ts';
import { listedName } from './hold/listed-name.ts';
import type { Located } from './paths/locate.ts';
import { spellingsOf } from './paths/spellings.ts';
import type { Boundary } from './root-directory.ts';

/**
 * The names of a path as their directories list them. They must not be reported before the path is known to be inside the roots.
 */
export interface Spelled {
  /** A path to the directory that contains the first name, for calls of `node:fs`. */
  readonly base: string;
  readonly names: readonly string[];
  /** The first name that exists in several normal forms. */
  readonly twins: Twins | undefined;
  /** The first name that exists but is not known to be listed. */
  readonly unlisted: Unlisted | undefined;
}

/** A name that is not listed, such as a stream of a file, or whose directory could not be read. */
interface Unlisted {
  /** Index in the path. */
  readonly index: number;
  readonly error: unknown;
}

/** Names that differ only in their normal form. */
interface Twins {
  /** Index in the path. */
  readonly index: number;
  readonly names: readonly string[];
}

/** Interval of checks whether the path still exists. A path with thousands of missing names costs no more than an ordinary one. */
const STRIDE = 16;

/** Looks up a name in each of its normal forms, because intermediate programs may have changed the form. */
export async function namesOnDisk({ directory, names }: Located<Boundary>): Promise<Spelled> {
  const { calls } = directory.ground;
  const base = await directory.reach([]);
  const found: string[] = [];
  let twins: Twins | undefined;
  let unlisted: Unlisted | undefined;
  let way = base;
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % STRIDE === 0 && (await calls.find(way)) === undefined) break;
    const own = await nameOnDisk(calls, way, name);
    if (own.twins.length > 1) twins ??= { index, names: own.twins };
    if (own.error !== undefined) unlisted ??= { index, error: own.error };
    found.push(own.name);
    way = path.join(way, own.name);
  }
  return { base, names: [...found, ...names.slice(found.length)], twins, unlisted };
}

interface NameOnDisk {
  readonly name: string;
  readonly twins: readonly string[];
  readonly error: unknown;
}

async function nameOnDisk(calls: Calls, directory: string, name: string): Promise<NameOnDisk> {
  try {
    const present = await normalFormsIn(calls, directory, name);
    const own = present.includes(name) ? name : (present[0] ?? name);
    const listed = await listedName(calls, directory, own);
    return { name: listed ?? own, twins: present, error: listed === undefined ? gone() : undefined };
  } catch (error) {
    // The error is not thrown here: the directory may be outside the roots.
    return { name, twins: [], error };
  }
}

/** Removes the last name. */
export function aboveLast({ base, names, twins, unlisted }: Spelled): Spelled {
  const last = names.length - 1;
  return {
    base,
    names: names.slice(0, -1),
    twins: twins?.index === last ? undefined : twins,
    unlisted: unlisted?.index === last ? undefined : unlisted,
  };
}

/** Returns the existing normal forms of a name. If several exist, only listed ones count. */
async function normalFormsIn(calls: Calls, directory: string, name: string): Promise<readonly string[]> {
  const spellings = spellingsOf(name);
  if (spellings.length === 1) return spellings;
  const present: string[] = [];
  for (const spelling of spellings) {
    if ((await calls.find(path.join(directory, spelling))) !== undefined) present.push(spelling);
  }
  if (present.length < 2) return present;
  const entries = await calls.readdir(directory);
  const listed = present.filter((spelling) => entries.includes(spelling));
  return listed.length === 0 ? present.slice(0, 1) : listed;
}
