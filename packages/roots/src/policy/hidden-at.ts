import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { errorCode } from '../error-code.ts';
import { POOLED } from '../hold/calls.ts';
import { listedPath } from '../hold/listed-name.ts';
import type { Hidden } from './hidden.ts';

/** Where directories are, or will be once they are made: by their own paths and by their real ones. */
export async function hiddenAt(directories: readonly string[]): Promise<Hidden> {
  const absolute = directories.map((directory) => path.resolve(directory));
  return [...new Set([...absolute, ...(await Promise.all(absolute.map(realPathOf)))])];
}

/** Of what is not there yet, the real path of its deepest directory that is, and the names after it. */
async function realPathOf(absolute: string): Promise<string> {
  try {
    return await listedPath(POOLED, await realpath(absolute));
  } catch (error) {
    const parent = path.dirname(absolute);
    if (errorCode(error) !== 'ENOENT' || parent === absolute) return absolute;
    return path.join(await realPathOf(parent), path.basename(absolute));
  }
}
