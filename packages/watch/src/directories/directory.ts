import { lstat, realpath } from 'node:fs/promises';
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

/** The directory at a path; `undefined` if there is none, or a link. */
export async function directoryAt(location: string): Promise<Directory | undefined> {
  try {
    const facts = await lstat(location, { bigint: true });
    if (!facts.isDirectory()) return undefined;
    const identity = [facts.dev, facts.ino, facts.birthtimeNs].join(':');
    return { path: location, identity, stamp: isSettled(facts) ? facts.ctimeNs : undefined };
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** The directory at a path, or the closest one above it that is there and behind no link. */
export async function nearestDirectory(location: string): Promise<Directory> {
  const found = await directoryAt(location);
  const above = path.dirname(location);
  if (found !== undefined && (above === location || (await isReal(location)))) return found;
  if (above === location) throw new Error(`${location} cannot be looked at`);
  return nearestDirectory(above);
}

async function isReal(location: string): Promise<boolean> {
  return realpath(location).then(
    (real) => real === location,
    () => false,
  );
}
