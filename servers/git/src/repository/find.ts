import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

import type { RootDirectory } from '@org/mcp-roots';
import { PINNED_PREFIX } from './pinned-configurations.ts';

/** Repositories are looked for this many levels below a root. */
const DEPTH = 3;
const MAX_DIRECTORIES = 2000;
export const MAX_FOUND = 100;
const PASSED_OVER = new Set(['node_modules', '.git']);

/**
 * Directories at or below a root that look like work trees, by their paths under the root; what is inside one is not looked at. The
 * root itself may be a bare repository: others are used by their own paths only.
 *
 * At most 100, in at most 2,000 directories. Links are not followed.
 */
export async function findRepositories(root: RootDirectory): Promise<readonly string[]> {
  if (await looksBare(root.path)) return [root.path];
  const found: string[] = [];
  let level = [root.path];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && looked < MAX_DIRECTORIES && found.length < MAX_FOUND; depth += 1) {
    const next: string[] = [];
    for (const directory of level.slice(0, MAX_DIRECTORIES - looked)) {
      if (await isWorkTree(directory)) found.push(directory);
      else next.push(...(await directoriesIn(directory)));
    }
    looked += level.length;
    level = next;
  }
  return found.slice(0, MAX_FOUND);
}

/** Whether a directory has what git takes a git directory by. */
export async function looksBare(directory: string): Promise<boolean> {
  const present = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => isThere(path.join(directory, name))));
  return present.every(Boolean);
}

function isWorkTree(directory: string): Promise<boolean> {
  return isThere(path.join(directory, '.git'));
}

async function isThere(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !PASSED_OVER.has(entry.name) && !entry.name.startsWith(PINNED_PREFIX))
    .map(({ name }) => path.join(directory, name))
    .sort();
}
