import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

const run = promisify(execFile);

/** Major version of the embedded PostgreSQL; its files cannot be read by another. */
export const VERSION = '18';
const PASSWORD_FILE = 'mcp-sql-superuser';

/** A data directory, and the password of its superuser, which nobody but us knows. */
export interface Cluster {
  readonly directory: string;
  readonly password: string;
}

/** Makes a data directory. */
export async function createCluster(directory: string, binaries: Binaries, account: Account | undefined): Promise<Cluster> {
  const password = randomBytes(24).toString('base64url');
  const passwordFile = `${directory}.password`;
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  try {
    if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
    await run(binaries.initdb, [...INITDB, '-D', directory, `--pwfile=${passwordFile}`], {
      env: { ...binaries.env, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      cwd: '/',
      ...account,
    });
    await rename(passwordFile, path.join(directory, PASSWORD_FILE));
  } finally {
    await rm(passwordFile, { force: true });
  }
  return { directory, password };
}

/**
 * Opens a data directory that is kept, or makes it: beside its place and then renamed, so that two processes that begin at once
 * end up with one whole directory.
 */
export async function keptCluster(directory: string, binaries: Binaries, account: Account | undefined): Promise<Cluster> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UsageError(`the data directory ${directory} cannot be used: ${error.message}`, { cause: error });
  });
  if (entries.length > 0) return existingCluster(directory);
  const making = await mkdtemp(`${directory}.new-`);
  try {
    if (account !== undefined) await chown(making, account.uid, account.gid);
    const made = await createCluster(path.join(making, 'data'), binaries, account);
    await rename(made.directory, directory);
    return { ...made, directory };
  } catch (error) {
    if (!isOccupied(error)) throw error;
    return await existingCluster(directory);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Throws a `UsageError` for a directory that is not ours, or of another version. */
export async function existingCluster(directory: string): Promise<Cluster> {
  const read = (name: string): Promise<string> => readFile(path.join(directory, name), 'utf8').catch(() => '');
  const version = (await read('PG_VERSION')).trim();
  const password = await read(PASSWORD_FILE);
  if (password === '') throw new UsageError(`the data directory ${directory} was not made by this server`);
  if (version !== VERSION)
    throw new UsageError(`the data directory ${directory} is of PostgreSQL ${version}; the embedded one is ${VERSION}`);
  return { directory, password };
}

function isOccupied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');
}

// Nothing but the socket in a private directory is listened on, and even there a password is asked for: SQL run by the
// server itself (dblink) must not become the superuser. Syncing is left to the server's first checkpoint.
export const INITDB: readonly string[] = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  '--no-sync',
  // A data directory begins with a segment of this many MB: 16 would be half of what a start writes.
  '--wal-segsize=4',
];
