import { lstatSync, realpathSync, type BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';

import { isForbidden, isMissing } from '../error-code.ts';
import { isSettled } from '../settled.ts';

/** A directory as it was found. */
export interface Directory {
  readonly path: string;
  /** Another one if the directory was replaced: inodes are used again, so it holds the time of birth too. */
  readonly identity: string;
  /** Another one if entries came or went; `undefined` if they may do so without a new one. */
  readonly stamp: bigint | undefined;
}

/** What {@link nearestDirectory} has found since the code that runs was called: a sweep asks again for each file of a directory. */
const found = new Map<string, Directory>();

/** The directory at a path; `undefined` if there is none, or a link. */
export function directoryAt(location: string): Directory | undefined {
  try {
    const facts = lstatSync(location, { bigint: true, throwIfNoEntry: false });
    return facts && directoryOf(location, facts);
  } catch (error) {
    return unlessAbsent(error);
  }
}

/** The same, for many at a time: nothing else has to wait. */
export async function directoryLaterAt(location: string): Promise<Directory | undefined> {
  return lstat(location, { bigint: true }).then((facts) => directoryOf(location, facts), unlessAbsent);
}

/** The directory at a path, or the closest one above it that is there and behind no link. */
export function nearestDirectory(location: string): Directory {
  const known = found.get(location);
  if (known !== undefined) return known;
  if (found.size === 0) queueMicrotask(() => found.clear());
  const nearest = find(location);
  found.set(location, nearest);
  return nearest;
}

function find(location: string): Directory {
  const directory = directoryAt(location);
  const above = path.dirname(location);
  if (directory !== undefined && (above === location || isReal(location))) return directory;
  if (above === location) throw new Error(`${location} cannot be looked at`);
  return nearestDirectory(above);
}

function directoryOf(location: string, facts: BigIntStats): Directory | undefined {
  if (!facts.isDirectory()) return undefined;
  const identity = [facts.dev, facts.ino, facts.birthtimeNs].join(':');
  return { path: location, identity, stamp: isSettled(facts) ? facts.ctimeNs : undefined };
}

function unlessAbsent(error: unknown): undefined {
  if (!isMissing(error) && !isForbidden(error)) throw error;
}

function isReal(location: string): boolean {
  try {
    return realpathSync.native(location) === location;
  } catch {
    return false;
  }
}
