import { constants } from 'node:fs';
import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import type { VerifiedPath } from '@org/mcp-roots';

/** Write permission for everyone, less the process's umask. */
const NEW_FILE_MODE = 0o666;

// Created exclusively and never through a link, so that nothing can be waiting at the temporary name.
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Replaces a file's content so that it is, at every moment and after a crash, the old or the new one.
 *
 * The content goes to a temporary file in the same directory, is flushed and renamed over the target; the mode of an existing
 * file is kept. On any failure the original is untouched and the temporary file removed.
 */
export async function writeAtomically(target: VerifiedPath, content: Uint8Array): Promise<void> {
  const temporary = path.join(path.dirname(target.real), `.mcp-fs-${crypto.randomUUID()}.tmp`);
  const mode = target.exists ? (await stat(target.real)).mode & 0o7777 : undefined;
  const handle = await open(temporary, CREATE, mode ?? NEW_FILE_MODE);
  try {
    await fill(handle, content, mode);
    await rename(temporary, target.real);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await flushDirectory(path.dirname(target.real));
}

async function fill(handle: FileHandle, content: Uint8Array, mode: number | undefined): Promise<void> {
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
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
