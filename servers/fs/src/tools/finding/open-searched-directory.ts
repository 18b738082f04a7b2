import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';

/** Characters with a meaning in a glob. */
const GLOB = /[*?[\]{}()!+@\\]/g;

/**
 * Opens the directory of a search.
 *
 * @throws ToolError NOT_DIRECTORY, for a file with a hint to search its directory; other errors of `Roots.openDirectory`
 */
export async function openSearchedDirectory({ roots }: Files, given: string): Promise<OpenDirectory> {
  try {
    return await roots.openDirectory(given);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== 'NOT_DIRECTORY' || !(await isFile(roots, given))) throw error;
    const include = JSON.stringify([path.basename(given).replace(GLOB, '?')]);
    throw new ToolError(error.code, error.message, {
      hint: `pass the directory of this file, with include: ${include}`,
      cause: error,
    });
  }
}

async function isFile(roots: Files['roots'], given: string): Promise<boolean> {
  try {
    await using file = await roots.openFile(given);
    return file.size >= 0;
  } catch {
    return false;
  }
}
