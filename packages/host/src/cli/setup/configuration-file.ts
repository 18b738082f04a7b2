import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { getErrorCode } from '../../process/error-code.ts';
import { UsageError } from '../../process/usage-error.ts';

/** The state of a configuration file when it was read. */
export interface ConfigurationFile {
  /** Real path of the file, with links resolved. */
  readonly path: string;
  /** Contents; empty if the file does not exist. */
  readonly text: string;
  /** Permission bits; `undefined` if the file does not exist. */
  readonly mode: number | undefined;
}

/** Maximum size in bytes; a larger file is not the configuration of a client. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Permission bits of the owner. */
const OWNER = 0o700;

/**
 * Reads a configuration file. A missing file counts as empty.
 *
 * @throws UsageError if the path is not a regular file, or the file is larger than 16 MiB or not valid UTF-8
 */
export async function readConfiguration(file: string): Promise<ConfigurationFile> {
  const target = await orElseIfMissing(realpath(file), file);
  const found = await orElseIfMissing(stat(target), undefined);
  if (found === undefined) return { path: target, text: '', mode: undefined };
  if (!found.isFile()) throw new UsageError(`${target} is not a file`);
  if (found.size > MAX_BYTES) throw new UsageError(`${target} is larger than ${MAX_BYTES / 1024 ** 2} MiB`);
  return { path: target, text: await readText(target), mode: found.mode & 0o777 };
}

/** New content and mode of a file. */
export interface Replacement {
  readonly text: string;
  /** Mode of a new file, before the umask is applied. */
  readonly mode: number;
  /** Whether only the owner may access the file and its backup. Default: an existing file keeps its mode. */
  readonly isPrivate?: boolean;
}

/**
 * Replaces a file atomically and keeps a backup.
 *
 * @returns the path of the backup; `undefined` if the file did not exist
 * @throws UsageError if the file has changed since it was read
 */
export async function replaceConfiguration(
  file: ConfigurationFile,
  { text, mode, isPrivate = false }: Replacement,
): Promise<string | undefined> {
  await mkdir(path.dirname(file.path), { recursive: true });
  const temporary = `${file.path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const kept = file.mode === undefined ? undefined : restrictMode(file.mode, isPrivate);
    await writeThrough(temporary, text, kept ?? mode);
    if (kept !== undefined) await chmod(temporary, kept);
    if ((await readConfiguration(file.path)).text !== file.text)
      throw new UsageError(`${file.path} was changed by another program; nothing was written, try again`);
    const backup = kept === undefined ? undefined : await backUp(file.path, kept);
    await rename(temporary, file.path);
    return backup;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes all access for others, except on Windows. Resolves to `true` if others had access before. */
export async function makePrivate({ path: file, mode = 0 }: ConfigurationFile): Promise<boolean> {
  if (process.platform === 'win32' || (mode & ~OWNER) === 0) return false;
  await chmod(file, mode & OWNER);
  return true;
}

async function readText(file: string): Promise<string> {
  try {
    // Keeps a byte order mark, so that it is written back.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${file} is not valid UTF-8`, { cause: error });
    throw error;
  }
}

async function writeThrough(file: string, content: string | Buffer, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function backUp(file: string, mode: number): Promise<string> {
  const backup = `${file}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}.bak`;
  // The backup may contain the secret of an older entry, so its mode is set on creation, not afterwards.
  await writeThrough(backup, await readFile(file), mode);
  await chmod(backup, mode);
  return backup;
}

function restrictMode(mode: number, isPrivate: boolean): number {
  return isPrivate ? mode & OWNER : mode;
}

async function orElseIfMissing<Found, Otherwise>(finding: Promise<Found>, otherwise: Otherwise): Promise<Found | Otherwise> {
  try {
    return await finding;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return otherwise;
    throw error;
  }
}
