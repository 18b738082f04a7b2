import { constants, type BigIntStats } from 'node:fs';

import { errorCode } from '../errors/error-code.ts';
import { isSameFile } from '../pinning/pinned-path.ts';
import type { FileSystemCalls } from '../pinning/file-system-calls.ts';

/**
 * Moves a file or directory to a free name. Fails with EEXIST if the name is taken.
 *
 * A plain rename would replace a file that was created after the last check. On Linux and Windows the file gets a second name,
 * which never replaces a file, and then loses the first name. A crash in between leaves both names. On other platforms link(2)
 * may follow a symbolic link and give a name inside the roots to a file outside. There, an empty file reserves the name and the
 * rename replaces that file.
 */
export async function moveToFreeName(
  calls: FileSystemCalls,
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (LINKS_ITSELF.has(platform)) return moveByLink(calls, from, to);
  const facts = await calls.lstat(from);
  return facts.isDirectory() ? moveAfterCheck(calls, from, to) : moveByReservation(calls, from, to);
}

/**
 * Platforms on which link(2) creates a second name of a symbolic link itself. POSIX leaves this open. On macOS link(2) follows the
 * link, and Node.js has no linkat(2).
 */
const LINKS_ITSELF: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'android', 'win32']);

/**
 * Error codes of link(2) for an entry that cannot get a second name: a directory, or a file on a file system without hard
 * links.
 */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

async function moveByLink(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  try {
    await calls.link(from, to);
  } catch (error) {
    if (WITHOUT_LINKS.has(errorCode(error) ?? '')) return moveAfterCheck(calls, from, to);
    throw error;
  }
  await calls.unlink(from);
}

async function moveAfterCheck(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  if ((await lstatIfExists(calls, to)) !== undefined)
    throw Object.assign(new Error('EEXIST: the name is taken'), { code: 'EEXIST' });
  await calls.rename(from, to);
}

/** Reserves the name by an empty file and replaces that file. Neither an exclusive open nor a rename follows a symbolic link. */
async function moveByReservation(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  const reserved = await reserve(calls, to);
  try {
    await calls.rename(from, to);
  } catch (error) {
    const now = await lstatIfExists(calls, to);
    if (now !== undefined && isSameFile(now, reserved)) await calls.unlink(to);
    throw error;
  }
}

async function reserve(calls: FileSystemCalls, name: string): Promise<BigIntStats> {
  const descriptor = await calls.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    return await calls.fstat(descriptor);
  } finally {
    await calls.close(descriptor);
  }
}

/** Resolves to `undefined` if the name is free. */
async function lstatIfExists(calls: FileSystemCalls, name: string): Promise<BigIntStats | undefined> {
  try {
    return await calls.lstat(name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
