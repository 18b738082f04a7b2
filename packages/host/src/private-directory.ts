import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from './usage-error.ts';

const PRIVATE = 0o700;
const OTHERS = 0o077;
const WRITTEN_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Makes a directory for the user of this process alone, in one that exists. The rights of a directory that exists stay as they are.
 *
 * @throws Error if it is not a directory, belongs to another user or can be read by others, and what the file system refuses
 */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: PRIVATE }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const problem = problemOf(await lstat(directory));
  if (problem !== undefined) throw new Error(`${directory} ${problem}`);
}

/**
 * Where a server keeps its state, if the operator chose a directory: there, if the directory is private or does not exist, and
 * otherwise in a directory of this name inside it.
 *
 * @param directory absolute
 * @throws UsageError if other users could replace or read what is kept there
 */
export function chosenStateDirectory(directory: string, name: string): string {
  const facts = found(() => statSync(directory));
  if (process.platform === 'win32') return directory;
  refuseReplaceable(facts === undefined ? existingAbove(directory) : realpathSync(directory));
  if (facts === undefined || problemOf(facts) === undefined) return directory;
  if (!facts.isDirectory()) throw refusal(directory, 'is not a directory');
  if (facts.uid !== ROOT && facts.uid !== process.geteuid?.()) throw refusal(directory, 'belongs to another user');
  return requirePrivate(path.join(directory, name));
}

/** The same directory, unless it exists and is not private. */
function requirePrivate(directory: string): string {
  const facts = found(() => lstatSync(directory));
  const problem = facts && problemOf(facts);
  if (problem !== undefined) throw refusal(directory, problem);
  return directory;
}

/** What keeps a directory from being this user's alone. */
function problemOf(facts: Stats): string | undefined {
  if (!facts.isDirectory()) return 'is not a directory';
  if (process.platform === 'win32') return undefined;
  if (facts.uid !== process.geteuid?.()) return 'belongs to another user';
  return (facts.mode & OTHERS) === 0 ? undefined : `can be used by other users (mode ${(facts.mode & 0o777).toString(8)})`;
}

/** Whoever may write a directory on the way that has no sticky bit, puts another one in its place. */
function refuseReplaceable(directory: string): void {
  const { mode } = statSync(directory);
  if ((mode & WRITTEN_BY_ALL) !== 0 && (mode & STICKY) === 0)
    throw refusal(directory, 'can be written by every user and has no sticky bit');
  const above = path.dirname(directory);
  if (above !== directory) refuseReplaceable(above);
}

function existingAbove(directory: string): string {
  const above = path.dirname(directory);
  return found(() => realpathSync(above)) ?? existingAbove(above);
}

function refusal(directory: string, problem: string): UsageError {
  return new UsageError(`--state-dir: ${directory} ${problem}; choose a directory of your own, or chmod 700 it`);
}

function found<Facts>(look: () => Facts): Facts | undefined {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
