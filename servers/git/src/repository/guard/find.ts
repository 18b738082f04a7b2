import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

import type { RootDirectory } from '@org/mcp-roots';

import { PINNED_PREFIX } from './pinned-configurations.ts';

/** Maximum depth below a root at which repositories are found. */
const DEPTH = 3;
const MAX_DIRECTORIES = 2000;
export const MAX_REPOSITORIES = 100;
const IGNORED_NAMES = new Set(['node_modules', '.git']);

/**
 * Finds directories at or below a root that look like work trees, as paths under the root. A work tree is not searched further.
 * The root itself may be a bare repository; other bare repositories are not found.
 *
 * Returns at most 100 repositories, searches at most 2,000 directories, and does not follow links.
 */
export async function findRepositories(root: RootDirectory): Promise<readonly string[]> {
  if (await looksLikeBareRepository(root.path)) return [root.path];
  const found: string[] = [];
  let level = [root.path];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && looked < MAX_DIRECTORIES && found.length < MAX_REPOSITORIES; depth += 1) {
    const next: string[] = [];
    for (const directory of level.slice(0, MAX_DIRECTORIES - looked)) {
      if (await isWorkTree(directory)) found.push(directory);
      else next.push(...(await listDirectories(directory)));
    }
    looked += level.length;
    level = next;
  }
  return found.slice(0, MAX_REPOSITORIES);
}

/** Whether a directory has the entries by which git recognizes a git directory. */
export async function looksLikeBareRepository(directory: string): Promise<boolean> {
  const present = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => pathExists(path.join(directory, name))));
  return present.every(Boolean);
}

function isWorkTree(directory: string): Promise<boolean> {
  return pathExists(path.join(directory, '.git'));
}

async function pathExists(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

async function listDirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !IGNORED_NAMES.has(entry.name) && !entry.name.startsWith(PINNED_PREFIX))
    .map(({ name }) => path.join(directory, name))
    .sort();
}
