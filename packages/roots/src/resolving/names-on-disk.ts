import path from 'node:path';

import type { Boundary } from '../boundary/root-directory.ts';
import { listNormalForms } from '../paths/fold-name.ts';
import type { LocatedPath } from '../paths/containment.ts';
import type { FileSystemCalls } from '../pinning/file-system-calls.ts';
import { findListedName } from '../pinning/listed-name.ts';
import { createVanishedError } from '../pinning/pinned-path.ts';

/**
 * The names of a path as their directories list them. They must not be reported before the path is known to be inside the roots.
 */
export interface NamesOnDisk {
  /** A path to the directory that contains the first name, for calls of `node:fs`. */
  readonly base: string;
  readonly names: readonly string[];
  /** The first name that exists in several normal forms; `undefined` if no name does. */
  readonly conflict: NormalizationConflict | undefined;
  /** The first name that exists but was not found in the list of its directory; `undefined` if all existing names were found. */
  readonly unlisted: UnlistedName | undefined;
}

/** A name that is not listed, such as a stream of a file, or whose directory could not be read. */
interface UnlistedName {
  /** Index of the name in the path. */
  readonly index: number;
  readonly error: unknown;
}

/** Names that differ only in their normal form. */
interface NormalizationConflict {
  /** Index of the name in the path. */
  readonly index: number;
  readonly names: readonly string[];
}

/**
 * Number of names between two checks whether the path still exists. So a path with thousands of missing names costs no more than
 * an ordinary one.
 */
const NAMES_BETWEEN_CHECKS = 16;

/** Looks up each name in all its normal forms, because a program in between may have changed the form. */
export async function findNamesOnDisk({ directory, names }: LocatedPath<Boundary>): Promise<NamesOnDisk> {
  const { calls } = directory.backend;
  const base = await directory.accessPath([]);
  const found: string[] = [];
  let conflict: NormalizationConflict | undefined;
  let unlisted: UnlistedName | undefined;
  let location = base;
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % NAMES_BETWEEN_CHECKS === 0 && (await calls.tryLstat(location)) === undefined) break;
    const own = await findNameOnDisk(calls, location, name);
    if (own.forms.length > 1) conflict ??= { index, names: own.forms };
    if (own.error !== undefined) unlisted ??= { index, error: own.error };
    found.push(own.name);
    location = path.join(location, own.name);
  }
  return { base, names: [...found, ...names.slice(found.length)], conflict, unlisted };
}

interface NameOnDisk {
  readonly name: string;
  readonly forms: readonly string[];
  readonly error: unknown;
}

async function findNameOnDisk(calls: FileSystemCalls, directory: string, name: string): Promise<NameOnDisk> {
  try {
    const present = await findNormalForms(calls, directory, name);
    const own = present.includes(name) ? name : (present[0] ?? name);
    const listed = await findListedName(calls, directory, own);
    return { name: listed ?? own, forms: present, error: listed === undefined ? createVanishedError() : undefined };
  } catch (error) {
    // The error is not thrown here: the directory may be outside the roots.
    return { name, forms: [], error };
  }
}

export function removeLastName({ base, names, conflict, unlisted }: NamesOnDisk): NamesOnDisk {
  const last = names.length - 1;
  return {
    base,
    names: names.slice(0, -1),
    conflict: conflict?.index === last ? undefined : conflict,
    unlisted: unlisted?.index === last ? undefined : unlisted,
  };
}

/**
 * Returns the normal forms of a name that exist. If several exist, returns the listed ones, or the first if none is listed. A name
 * with only one form is returned without a check.
 */
async function findNormalForms(calls: FileSystemCalls, directory: string, name: string): Promise<readonly string[]> {
  const spellings = listNormalForms(name);
  if (spellings.length === 1) return spellings;
  const present: string[] = [];
  for (const spelling of spellings) {
    if ((await calls.tryLstat(path.join(directory, spelling))) !== undefined) present.push(spelling);
  }
  if (present.length < 2) return present;
  const entries = await calls.readdir(directory);
  const listed = present.filter((spelling) => entries.includes(spelling));
  return listed.length === 0 ? present.slice(0, 1) : listed;
}
