import path from 'node:path';

import type { Calls } from './hold/calls.ts';
import { listedName } from './hold/listed-name.ts';
import type { Located } from './paths/locate.ts';
import { spellingsOf } from './paths/spellings.ts';
import type { Boundary } from './root-directory.ts';

/** The names of a path as their directories list them. What they reveal is not to be reported before the path is known to lie inside. */
export interface Spelled {
  /** A path to the directory that contains the first of them, for calls of `node:fs`. */
  readonly base: string;
  readonly names: readonly string[];
  /** The first name that is there in several normal forms. */
  readonly twins: Twins | undefined;
  /** Where in the path the first name is that opens something no directory lists, such as a stream of a file. */
  readonly unlisted: number | undefined;
}

/** Names that look the same. */
interface Twins {
  /** Where in the path. */
  readonly index: number;
  readonly names: readonly string[];
}

/** Levels after which a look tells whether any more exist: a path of thousands that do not costs no more than an ordinary one. */
const STRIDE = 16;

/** A name that can be written in several normal forms is looked for in each: programs on the way may have changed it. */
export async function namesOnDisk({ directory, names }: Located<Boundary>): Promise<Spelled> {
  const { calls } = directory.ground;
  const base = await directory.reach([]);
  const found: string[] = [];
  let twins: Twins | undefined;
  let unlisted: number | undefined;
  let way = base;
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % STRIDE === 0 && (await calls.find(way)) === undefined) break;
    const own = await nameOnDisk(calls, way, name);
    if (own.twins.length > 1) twins ??= { index, names: own.twins };
    if (!own.isListed) unlisted ??= index;
    found.push(own.name);
    way = path.join(way, own.name);
  }
  return { base, names: [...found, ...names.slice(found.length)], twins, unlisted };
}

interface NameOnDisk {
  readonly name: string;
  readonly twins: readonly string[];
  readonly isListed: boolean;
}

async function nameOnDisk(calls: Calls, directory: string, name: string): Promise<NameOnDisk> {
  const present = await normalFormsIn(calls, directory, name);
  const own = present.includes(name) ? name : (present[0] ?? name);
  const listed = await listedName(calls, directory, own);
  return { name: listed ?? own, twins: present, isListed: listed !== undefined };
}

/** The same of the directory that contains the last name. */
export function aboveLast({ base, names, twins, unlisted }: Spelled): Spelled {
  const last = names.length - 1;
  return {
    base,
    names: names.slice(0, -1),
    twins: twins?.index === last ? undefined : twins,
    unlisted: unlisted === last ? undefined : unlisted,
  };
}

/** Those that are there; of several that the file system takes for one only what is listed. */
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
