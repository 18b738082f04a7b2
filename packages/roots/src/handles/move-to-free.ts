import { constants, type BigIntStats } from 'node:fs';

import { errorCode } from '../error-code.ts';
import { isSame } from '../hold/anchor.ts';
import type { Calls } from '../hold/calls.ts';

/**
 * Moves a file or directory to a free name. Fails with EEXIST if the name is taken.
 *
 * A plain rename would replace a file that was created after the last check. On Linux and Windows the file gets a second name,
 * which never replaces a file, and loses the first one; a crash in between leaves both. On other platforms link(2) may follow a
 * symbolic link and give a name inside the roots to a file outside. There, an empty file reserves the name and the rename replaces
 * that file.
 */
export async function moveToFree(
  calls: Calls,
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (LINKS_ITSELF.has(platform)) return byLink(calls, from, to);
  const facts = await calls.lstat(from);
  return facts.isDirectory() ? byLook(calls, from, to) : byReservation(calls, from, to);
}

/**
 * Platforms on which link(2) creates a second name of a symbolic link itself. POSIX leaves this open. On macOS link(2) follows the
 * link, and Node.js has no linkat(2).
 */
const LINKS_ITSELF: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'android', 'win32']);

/** Errors for directories, and of file systems without hard links. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

async function byLink(calls: Calls, from: string, to: string): Promise<void> {
  try {
    await calls.link(from, to);
  } catch (error) {
    if (WITHOUT_LINKS.has(errorCode(error) ?? '')) return byLook(calls, from, to);
    throw error;
  }
  await calls.unlink(from);
}

async function byLook(calls: Calls, from: string, to: string): Promise<void> {
  if ((await factsOf(calls, to)) !== undefined) throw Object.assign(new Error('EEXIST: the name is taken'), { code: 'EEXIST' });
  await calls.rename(from, to);
}

/** Follows no symbolic link, because neither an exclusive open nor a rename does. */
async function byReservation(calls: Calls, from: string, to: string): Promise<void> {
  const reserved = await reserve(calls, to);
  try {
    await calls.rename(from, to);
  } catch (error) {
    const now = await factsOf(calls, to);
    if (now !== undefined && isSame(now, reserved)) await calls.unlink(to);
    throw error;
  }
}

async function reserve(calls: Calls, name: string): Promise<BigIntStats> {
  const descriptor = await calls.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    return await calls.fstat(descriptor);
  } finally {
    await calls.close(descriptor);
  }
}

/** Resolves to `undefined` if the name is free. */
async function factsOf(calls: Calls, name: string): Promise<BigIntStats | undefined> {
  try {
    return await calls.lstat(name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
