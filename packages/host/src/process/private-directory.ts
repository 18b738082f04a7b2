import { chmodSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { getErrorCode } from './error-code.ts';
import { UsageError } from './usage-error.ts';

const PRIVATE = 0o700;
const OTHERS = 0o077;
const WRITTEN_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Creates a directory with mode 700 in an existing one. The mode of a directory that already exists does not change.
 *
 * @throws Error if the path is not a directory, belongs to another user or grants any access to others (not checked on Windows),
 *   and file system errors
 */
export async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: PRIVATE }).catch((error: unknown) => {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  });
  const problem = findPrivacyProblem(await lstat(directory));
  if (problem !== undefined) throw new Error(`${directory} ${problem}`);
}

/**
 * Returns the directory for the state of a server if the operator chose one: the chosen directory if that is private or does not
 * exist, otherwise a subdirectory with this name. The path of a directory that exists contains no links. On Windows,
 * returns the chosen directory without checks.
 *
 * @param directory absolute
 * @throws UsageError if the directory cannot be used or belongs to another user except root, if the subdirectory is not private, or
 * if every user may replace a directory on the path
 */
export function verifyChosenDirectory(directory: string, name: string): string {
  try {
    return process.platform === 'win32' ? directory : verifyDirectory(directory, name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(directory, `cannot be used (${error instanceof Error ? error.message : String(error)})`);
  }
}

/**
 * Returns the default directory for the state of a server, without links if the directory exists. Removes the access of others if the
 * directory belongs to the user: the file system or a container volume may have granted this access. On Windows, returns
 * the path unchanged. Throws nothing, because a server that keeps no state runs without the directory.
 */
export function prepareDefaultDirectory(directory: string): string {
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

function verifyDirectory(directory: string, name: string): string {
  const facts = ifExists(() => statSync(directory));
  if (facts === undefined) {
    if (ifExists(() => lstatSync(directory)) !== undefined) throw unusable(directory, 'is a broken symbolic link');
    assertNotReplaceable(findExistingParent(directory));
    return directory;
  }
  const real = realpathSync(directory);
  assertNotReplaceable(real);
  if (!facts.isDirectory()) throw unusable(directory, 'is not a directory');
  if (findPrivacyProblem(facts) === undefined) return real;
  if (facts.uid !== ROOT && facts.uid !== process.geteuid?.()) throw unusable(directory, 'belongs to another user');
  return requirePrivate(path.join(real, name));
}

/** Returns the same path. @throws UsageError if the directory exists and is not private */
function requirePrivate(directory: string): string {
  const facts = ifExists(() => lstatSync(directory));
  const problem = facts && findPrivacyProblem(facts);
  if (problem !== undefined) throw unusable(directory, problem);
  return directory;
}

/** Returns the reason why a directory is not private, or `undefined` if the directory is private. */
function findPrivacyProblem(facts: Stats): string | undefined {
  if (!facts.isDirectory()) return 'is not a directory';
  if (process.platform === 'win32') return undefined;
  if (facts.uid !== process.geteuid?.()) return 'belongs to another user';
  return (facts.mode & OTHERS) === 0 ? undefined : `can be used by other users (mode ${(facts.mode & 0o777).toString(8)})`;
}

/**
 * Asserts that every directory on the path has the sticky bit or is not writable for all. Without the sticky bit, anyone
 * who may write to a directory can replace its entries.
 */
function assertNotReplaceable(directory: string): void {
  const { mode } = statSync(directory);
  if ((mode & WRITTEN_BY_ALL) !== 0 && (mode & STICKY) === 0)
    throw unusable(directory, 'can be written by every user and has no sticky bit');
  const above = path.dirname(directory);
  if (above !== directory) assertNotReplaceable(above);
}

function findExistingParent(directory: string): string {
  const above = path.dirname(directory);
  return ifExists(() => realpathSync(above)) ?? findExistingParent(above);
}

function unusable(directory: string, problem: string): UsageError {
  return new UsageError(`--state-dir: ${directory} ${problem}; choose a directory of your own, or chmod 700 it`);
}

function ifExists<Facts>(look: () => Facts): Facts | undefined {
  try {
    return look();
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
