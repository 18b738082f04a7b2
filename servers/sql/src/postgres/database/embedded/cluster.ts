import { execFile } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { RolePasswords } from './contents.ts';
import { newPassword } from './new-password.ts';
import { readIfExists } from './read-if-exists.ts';

const run = promisify(execFile);

/** Major version of the embedded PostgreSQL. Other major versions cannot read its files. */
export const VERSION = '18';
export const PASSWORD_FILE = 'mcp-sql-superuser';
/**
 * Name of the file with the passwords of the roles. The file exists only in a data directory in which the schema and roles were
 * created.
 */
export const ROLES_FILE = 'mcp-sql-roles';

/** A data directory, and the password of its superuser, which only this package knows. */
export interface Cluster {
  readonly directory: string;
  readonly password: string;
  /** Passwords of the roles; `undefined` if the data directory has no schema and roles yet. */
  readonly roles?: RolePasswords | undefined;
}

/** How to create a data directory with initdb. */
export interface ClusterCreation extends Cluster {
  /** Path of a file that contains the superuser's password while initdb runs. */
  readonly passwordFile: string;
  /** Command line of initdb. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Writes the password file and returns the initdb command for `account`. The caller removes the password file after the command. */
export function planCluster(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
  further: readonly string[] = TEMPORARY_INITDB_FLAGS,
): ClusterCreation {
  const password = newPassword();
  const passwordFile = `${directory}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const command = [binaries.initdb, ...INITDB_FLAGS, ...further, '-D', directory, `--pwfile=${passwordFile}`];
  return { directory, password, passwordFile, command, env: { ...binaries.env, LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } };
}

/**
 * Creates a data directory with initdb, and stores the superuser's password in the directory.
 *
 * @param further additional flags of initdb; default: those for temporary data
 */
export async function createCluster(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
  further?: readonly string[],
): Promise<Cluster> {
  const { password, passwordFile, command, env } = planCluster(directory, binaries, account, further);
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
 * Opens a persistent data directory, or creates it if it is empty or missing. A new data directory is created under another name and
 * then renamed, so that two processes that start at once end up with one complete directory.
 */
export async function openPersistentCluster(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
): Promise<Cluster> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UsageError(`the data directory ${directory} cannot be used: ${error.message}`, { cause: error });
  });
  if (entries.length > 0) return openCluster(directory);
  const staging = await mkdtemp(`${directory}.new-`);
  try {
    if (account !== undefined) await chown(staging, account.uid, account.gid);
    const made = await createCluster(path.join(staging, 'data'), binaries, account, []);
    // initdb syncs all files but the password, which is moved into the directory afterwards.
    for (const written of [path.join(made.directory, PASSWORD_FILE), made.directory]) await sync(written);
    await rename(made.directory, directory);
    await sync(path.dirname(directory));
    return { ...made, directory };
  } catch (error) {
    if (!isOccupied(error)) throw error;
    return openCluster(directory);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Resolves when a file, or the entries of a directory, are on the disk. */
async function sync(file: string): Promise<void> {
  await using opened = await open(file);
  await opened.sync();
}

/**
 * Reads the passwords of an existing data directory. Throws a `UsageError` for a directory that this package did not create, or
 * that belongs to another version.
 */
export function openCluster(directory: string): Cluster {
  const version = readIfExists(path.join(directory, 'PG_VERSION')).trim();
  const password = readIfExists(path.join(directory, PASSWORD_FILE));
  if (password === '') throw new UsageError(`the data directory ${directory} was not created by this server`);
  if (version !== VERSION)
    throw new UsageError(`the data directory ${directory} belongs to PostgreSQL ${version}; the embedded version is ${VERSION}`);
  return { directory, password, roles: parseRoles(readIfExists(path.join(directory, ROLES_FILE))) };
}

function parseRoles(text: string): RolePasswords | undefined {
  if (text === '') return undefined;
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null || !('reader' in read && 'writer' in read)) return undefined;
  return { reader: String(read.reader), writer: String(read.writer) };
}

function isOccupied(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');
}

// The server listens only on a socket in a private directory. The socket requires a password, too, because SQL that the server
// itself runs (dblink) must not become the superuser.
export const INITDB_FLAGS: readonly string[] = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  // Size of a WAL segment in MB; a new data directory contains one segment. The default of 16 would double the bytes that a start
  // writes.
  '--wal-segsize=4',
];

/**
 * Additional flags for temporary data. Their loss does no harm, so checksums are off, and initdb does not wait until its files are
 * on the disk. One SCRAM iteration is enough for a random password. Small buffers make initdb a tenth faster, because initdb
 * initializes their descriptors twice.
 */
export const TEMPORARY_INITDB_FLAGS: readonly string[] = [
  '--no-data-checksums',
  '--no-sync',
  ...['scram_iterations=1', 'shared_buffers=8MB', 'max_connections=20'].flatMap((setting) => ['-c', setting]),
];
