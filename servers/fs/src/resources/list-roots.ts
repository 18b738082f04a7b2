import path from 'node:path';

import { ToolError, type ResourceDefinition } from '@org/mcp-decorators';
import type { RootDirectory, Roots } from '@org/mcp-roots';

import { visibleName } from '../text/escape.ts';
import { isoTime } from '../text/iso.ts';

/** What a directory is, where everything has a MIME type. */
export const DIRECTORY = 'inode/directory';

/** The roots that are there now, as resources. */
export async function listRoots(roots: Roots): Promise<readonly ResourceDefinition[]> {
  const listed = await Promise.all(roots.directories.map((root) => listRoot(roots, root)));
  return listed.filter((resource) => resource !== undefined);
}

async function listRoot(roots: Roots, { path: given, uri, mode }: RootDirectory): Promise<ResourceDefinition | undefined> {
  try {
    const { facts } = await roots.existing(given);
    return {
      uri,
      name: visibleName(given),
      title: visibleName(path.basename(given) || given),
      description: `A directory that may ${mode === 'ro' ? 'only be read' : 'be read and written'}, with all that is in it`,
      mimeType: DIRECTORY,
      annotations: { lastModified: isoTime(Number(facts.mtimeMs)) },
    };
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
