import { chmodSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { UsageError } from './usage-error.ts';

const PRIVATE = 0o700;
const OTHERS = 0o077;
const WRITTEN_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Creates a directory with mode 700 in an existing one. The mode of a directory that already exists does not change.
 *
 * @throws Error if the path is not a directory, belongs to another user or grants any access to others, and file system errors
 */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: PRIVATE }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const problem = problemOf(await lstat(directory));
  if (problem !== undefined) throw new Error(`${directory} ${problem}`);
}

/**
 * Returns the directory for the state of a server if the operator chose one: the chosen directory if that is private or does not
 * exist, otherwise a subdirectory with this name. The path of a directory that exists contains no links.
 *
 * @param directory absolute
 * @throws UsageError if the directory cannot be used or belongs to another user, if the subdirectory is not private, or if every
 * user may replace a directory on the path
 */
export function chosenStateDirectory(directory: string, name: string): string {
  try {
    return process.platform === 'win32' ? directory : verifiedStateDirectory(directory, name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refusal(directory, `cannot be used (${error instanceof Error ? error.message : String(error)})`);
  }
}

/**
 * Returns the default directory for the state of a server, without links if the directory exists. Removes the access of others if the
 * directory belongs to the user: the file system or a container volume may have granted this access. Throws nothing, because a server
 * that keeps no state runs without the directory.
 */
export function preparedDefaultDirectory(directory: string): string {
  if (process.platform === 'win32') return directory;
  try {
    const real = realpathSync(directory);
    const facts = statSync(real);
    const isOwn = facts.isDirectory() && facts.uid === process.geteuid?.();
    if (isOwn && (facts.mode & OTHERS) !== 0) chmodSync(real, PRIVATE);
    return real;
  } catch {
    return directory;
  }
}

function verifiedStateDirectory(directory: string, name: string): string {
  const facts = found(() => statSync(directory));
  if (facts === undefined) {
    if (found(() => lstatSync(directory)) !== undefined) throw refusal(directory, 'is a link to nothing');
    refuseReplaceable(existingAbove(directory));
    return directory;
  }
  const real = realpathSync(directory);
  refuseReplaceable(real);
  if (!facts.isDirectory()) throw refusal(directory, 'is not a directory');
  if (problemOf(facts) === undefined) return real;
  if (facts.uid !== ROOT && facts.uid !== process.geteuid?.()) throw refusal(directory, 'belongs to another user');
  return requirePrivate(path.join(real, name));
}

/** Returns the directory. @throws UsageError if the directory exists and is not private */
function requirePrivate(directory: string): string {
  const facts = found(() => lstatSync(directory));
  const problem = facts && problemOf(facts);
  if (problem !== undefined) throw refusal(directory, problem);
  return directory;
}

/** Returns the reason why a directory is not private, or `undefined` if it is. */
function problemOf(facts: Stats): string | undefined {
  if (!facts.isDirectory()) return 'is not a directory';
  if (process.platform === 'win32') return undefined;
  if (facts.uid !== process.geteuid?.()) return 'belongs to another user';
  return (facts.mode & OTHERS) === 0 ? undefined : `can be used by other users (mode ${(facts.mode & 0o777).toString(8)})`;
}

/**
 * Without the sticky bit, anyone who may write to a directory on the path can replace its entries. Only write access for all is
 * checked.
 */
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
