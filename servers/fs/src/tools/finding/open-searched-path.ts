import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, VerifiedPath } from '@org/mcp-roots';

import type { Files } from '../files.ts';

/** Characters with a meaning in a glob. */
const GLOB = /[*?[\]{}()!+@\\]/g;

/** The directory of a search, and the filter that a given path of a file sets. */
export interface SearchedPath {
  readonly directory: OpenDirectory;
  /** Glob of the only searched file; `undefined` if the whole directory is searched. */
  readonly only: string | undefined;
}

/**
 * Opens the directory of a search; for a file, its directory. The caller closes the directory.
 *
 * @throws ToolError NOT_DIRECTORY for an entry that is neither a directory nor a file; other errors of `Roots.openDirectory`
 */
export async function openSearchedPath({ roots }: Files, given: string): Promise<SearchedPath> {
  try {
    return { directory: await roots.openDirectory(given), only: undefined };
  } catch (error) {
    const file = ToolError.is(error) && error.code === 'NOT_DIRECTORY' ? await findFile(roots, given) : undefined;
    if (file === undefined) throw error;
    const only = path.basename(file.real).replace(GLOB, '\\$&');
    return { directory: await roots.openDirectory(path.dirname(file.real)), only };
  }
}

/**
 * Returns the file of a path, or `undefined` for any other entry. A link is followed here, because the search itself does not
 * follow links.
 */
async function findFile(roots: Files['roots'], given: string): Promise<VerifiedPath | undefined> {
  try {
    const found = await roots.resolveExisting(given);
    return found.facts.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}
