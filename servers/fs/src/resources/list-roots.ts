import path from 'node:path';

import { ToolError, type ResourceDefinition } from '@org/mcp-decorators';
import type { RootDirectory, Roots } from '@org/mcp-roots';

import { formatTime, visibleName } from '../text/format.ts';

/** MIME type of a directory. */
export const DIRECTORY_MIME = 'inode/directory';

/** Returns the existing roots as resources. */
export async function listRoots(roots: Roots): Promise<readonly ResourceDefinition[]> {
  const listed = await Promise.all(roots.directories.map((root) => listRoot(roots, root)));
  return listed.filter((resource) => resource !== undefined);
}

async function listRoot(roots: Roots, { path: given, uri, mode }: RootDirectory): Promise<ResourceDefinition | undefined> {
  try {
    const { facts } = await roots.resolveExisting(given);
    return {
      uri,
      name: visibleName(given),
      title: visibleName(path.basename(given) || given),
      description: `A ${mode === 'ro' ? 'read-only' : 'readable and writable'} directory with all files below it`,
      mimeType: DIRECTORY_MIME,
      annotations: { lastModified: formatTime(Number(facts.mtimeMs)) },
    };
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
