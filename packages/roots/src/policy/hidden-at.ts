import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { errorCode } from '../error-code.ts';
import { POOLED } from '../hold/calls.ts';
import { listedPath } from '../hold/listed-name.ts';
import type { Hidden } from './hidden.ts';

/** Returns the given and the real paths of directories, including directories that do not exist yet. */
export async function hiddenAt(directories: readonly string[]): Promise<Hidden> {
  const absolute = directories.map((directory) => path.resolve(directory));
  return [...new Set([...absolute, ...(await Promise.all(absolute.map(realPathOf)))])];
}

/** For a missing path, resolves the deepest existing directory and appends the remaining names. */
async function realPathOf(absolute: string): Promise<string> {
  try {
    return await listedPath(POOLED, await realpath(absolute));
  } catch (error) {
    const parent = path.dirname(absolute);
    if (errorCode(error) !== 'ENOENT' || parent === absolute) return absolute;
    return path.join(await realPathOf(parent), path.basename(absolute));
  }
}
