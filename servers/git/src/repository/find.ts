import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

import type { RootDirectory } from '@org/mcp-roots';

/** Repositories are looked for this many levels below a root. */
const DEPTH = 3;
const MAX_DIRECTORIES = 2000;
const MAX_FOUND = 100;
const PASSED_OVER = new Set(['node_modules', '.git']);

/**
 * Directories at or below a root that look like work trees, by their paths under the root; what is inside one is not looked at.
 *
 * At most 100, in at most 2,000 directories. Links are not followed.
 */
export async function findWorkTrees(root: RootDirectory): Promise<readonly string[]> {
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

async function isWorkTree(directory: string): Promise<boolean> {
  return (await lstat(path.join(directory, '.git')).catch(() => undefined)) !== undefined;
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !PASSED_OVER.has(entry.name))
    .map(({ name }) => path.join(directory, name))
    .sort();
}
