import { execFile } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { RolePasswords } from './contents.ts';
import { newPassword } from './new-password.ts';
import { readIfThere } from './read-if-there.ts';

const run = promisify(execFile);

/** Major version of the embedded PostgreSQL; its files cannot be read by another. */
export const VERSION = '18';
export const PASSWORD_FILE = 'mcp-sql-superuser';
/** Of a data directory that has its contents. */
export const ROLES_FILE = 'mcp-sql-roles';

/** A data directory, and the password of its superuser, which nobody but us knows. */
export interface Cluster {
  readonly directory: string;
  readonly password: string;
  /** Of the roles that are there already, with all other contents. */
  readonly roles?: RolePasswords | undefined;
}

/** How a data directory is to be made. */
export interface Making extends Cluster {
  /** Has the password meanwhile. */
  readonly passwordFile: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What makes a data directory, once it is run by `account`; the password's file is then to be removed. */
export function makingOf(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
  further: readonly string[] = INITDB_TEMPORARY,
): Making {
  const password = newPassword();
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const command = [binaries.initdb, ...INITDB, ...further, '-D', directory, `--pwfile=${passwordFile}`];
  return { directory, password, passwordFile, command, env: { ...binaries.env, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } };
}

/** Makes a data directory. */
export async function createCluster(directory: string, binaries: Binaries, account: Account | undefined): Promise<Cluster> {
  const { password, passwordFile, command, env } = makingOf(directory, binaries, account, []);
  const [program = '', ...flags] = command;
  try {
    await run(program, flags, { env, cwd: '/', ...account });
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
    return existingCluster(directory);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** Throws a `UsageError` for a directory that is not ours, or of another version. */
export function existingCluster(directory: string): Cluster {
  const version = readIfThere(path.join(directory, 'PG_VERSION')).trim();
  const password = readIfThere(path.join(directory, PASSWORD_FILE));
  if (password === '') throw new UsageError(`the data directory ${directory} was not made by this server`);
  if (version !== VERSION)
    throw new UsageError(`the data directory ${directory} is of PostgreSQL ${version}; the embedded one is ${VERSION}`);
  return { directory, password, roles: rolesIn(readIfThere(path.join(directory, ROLES_FILE))) };
}

function rolesIn(text: string): RolePasswords | undefined {
  if (text === '') return undefined;
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null || !('reader' in read && 'writer' in read)) return undefined;
  return { reader: String(read.reader), writer: String(read.writer) };
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

/**
 * Further ones for data that are not kept. A disk that spoils them is no loss; their superuser's password is ours alone, and as random as
 * those of the other roles; and of the memory that the server gets later, initdb would fill the tables that describe it, twice: with
 * less it takes a tenth less.
 */
export const INITDB_TEMPORARY: readonly string[] = [
  '--no-data-checksums',
  ...['scram_iterations=1', 'shared_buffers=8MB', 'max_connections=20'].flatMap((setting) => ['-c', setting]),
];
