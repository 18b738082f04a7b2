import { lstatSync, realpathSync, type BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';

import { isForbidden, isMissing } from '../system/watch-errors.ts';

/** A directory at the time of its lookup. */
export interface Directory {
  readonly path: string;
  /** Changes if the directory is replaced. Contains the creation time, because inode numbers are reused. */
  readonly identity: string;
  /**
   * Changes if entries are added or removed; `undefined` if the last change is so recent that another change may get
   * the same time.
   */
  readonly changeTime: bigint | undefined;
}

/**
 * Results of {@link findNearestDirectory} during the current task, because a sweep requests the same directory for each of its
 * files.
 */
const recentlyFound = new Map<string, Directory>();

/** Returns the directory at a path; `undefined` if the path is missing, forbidden, or not a directory, such as a link. */
export function statDirectory(location: string): Directory | undefined {
  try {
    const facts = lstatSync(location, { bigint: true, throwIfNoEntry: false });
    return facts && toDirectory(location, facts);
  } catch (error) {
    return ignoreAbsent(error);
  }
}

/** Asynchronous {@link statDirectory}, which does not block while many directories are examined. */
export async function statDirectoryAsync(location: string): Promise<Directory | undefined> {
  return lstat(location, { bigint: true }).then((facts) => toDirectory(location, facts), ignoreAbsent);
}

/** Returns the directory at a path or its closest existing parent that is not behind a link. */
export function findNearestDirectory(location: string): Directory {
  const known = recentlyFound.get(location);
  if (known !== undefined) return known;
  if (recentlyFound.size === 0) queueMicrotask(() => recentlyFound.clear());
  const nearest = find(location);
  recentlyFound.set(location, nearest);
  return nearest;
}

function find(location: string): Directory {
  const directory = statDirectory(location);
  const above = path.dirname(location);
  if (directory !== undefined && (above === location || isReal(location))) return directory;
  if (above === location) throw new Error(`${location} cannot be examined`);
  return findNearestDirectory(above);
}

function toDirectory(location: string, facts: BigIntStats): Directory | undefined {
  if (!facts.isDirectory()) return undefined;
  const identity = [facts.dev, facts.ino, facts.birthtimeNs].join(':');
  return { path: location, identity, changeTime: isSettled(facts) ? facts.ctimeNs : undefined };
}

function ignoreAbsent(error: unknown): undefined {
  if (!isMissing(error) && !isForbidden(error)) throw error;
}

function isReal(location: string): boolean {
  try {
    return realpathSync.native(location) === location;
  } catch {
    return false;
  }
}

/** Milliseconds within which two writes may get the same time stamp: 10 on Linux with the coarsest clock, 16 on Windows. */
export const CLOCK_TICK_MS = 20;

const NANOSECONDS = 1_000_000n;

/** Returns whether a further change would get a new time stamp, because the last change is older than the clock tick. */
export function isSettled({ ctimeNs }: { readonly ctimeNs: bigint }): boolean {
  return Math.abs(Date.now() - Number(ctimeNs / NANOSECONDS)) > CLOCK_TICK_MS;
}
