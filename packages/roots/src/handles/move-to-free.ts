import { constants, type BigIntStats } from 'node:fs';

import { errorCode } from '../error-code.ts';
import { isSame } from '../hold/anchor.ts';
import type { Calls } from '../hold/calls.ts';

/**
 * Moves to a name that nothing has. Fails with EEXIST where something has it.
 *
 * A rename alone would replace a file that was created after the last look. On Linux and Windows the file gets a second name, which never
 * replaces anything, and loses the first one; a crash in between leaves both. Elsewhere an empty file reserves the name and the rename
 * replaces the reservation, because link(2) may follow a symbolic link there: it would give a name inside the roots to a file outside.
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
 * Platforms whose link(2) makes a second name of a symbolic link itself. POSIX leaves it open; macOS documents that it follows the link, and
 * has no linkat(2) in Node.js.
 */
const LINKS_ITSELF: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'android', 'win32']);

/** Directories and some file systems have no second names. */
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

/** Never follows a link: neither does an exclusive open, nor a rename. */
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

/** `undefined` where nothing has the name. */
async function factsOf(calls: Calls, name: string): Promise<BigIntStats | undefined> {
  try {
    return await calls.lstat(name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
