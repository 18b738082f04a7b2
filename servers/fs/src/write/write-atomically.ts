import { constants, type Stats } from 'node:fs';
import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import type { VerifiedPath } from '@org/mcp-roots';

/** Write permission for everyone, less the process's umask. */
const NEW_FILE_MODE = 0o666;
/** Until the permissions of the replaced file are set, nobody else may look into the new one. */
const PRIVATE_MODE = 0o600;

// Created exclusively and never through a link, so that nothing can be waiting at the temporary name.
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Replaces a file's content so that it is, at every moment and after a crash, the old or the new one.
 *
 * The content goes to a temporary file in the same directory, is flushed and renamed over the target; the owner and permissions of
 * an existing file are kept, its setuid and setgid bits and its hard links are not. On any failure the original is untouched and the temporary file removed.
 */
export async function writeAtomically(target: VerifiedPath, content: Uint8Array): Promise<void> {
  const temporary = path.join(path.dirname(target.real), `.mcp-fs-${crypto.randomUUID()}.tmp`);
  const kept = target.exists ? await stat(target.real) : undefined;
  const handle = await open(temporary, CREATE, kept === undefined ? NEW_FILE_MODE : PRIVATE_MODE);
  try {
    await fill(handle, content, kept);
    await rename(temporary, target.real);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  // The new content stands; a directory that may be written but not read cannot be flushed, and that undoes nothing.
  await flushDirectory(path.dirname(target.real)).catch(() => undefined);
}

async function fill(handle: FileHandle, content: Uint8Array, kept: Stats | undefined): Promise<void> {
  try {
    if (kept !== undefined) await keep(handle, kept);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Owner and permissions of the file that is replaced. Not its setuid and setgid bits: its content is the client's now. */
async function keep(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await handle.stat();
  // Only root may give files away; everybody else's become their own, as with any program that replaces files.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & 0o777);
}

/** The rename itself is durable only once the directory is; Windows cannot open one. */
async function flushDirectory(directory: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
