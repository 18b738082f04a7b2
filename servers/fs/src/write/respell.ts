import { randomUUID } from 'node:crypto';

import type { OpenDirectory } from '@org/mcp-roots';

/**
 * Changes nothing but the spelling of a name, where the file system takes both spellings for one name.
 *
 * Linux ignores a rename of a file to another name of the same file, so there it takes two steps. The name in between is not that of a
 * temporary file, because those are removed when their process is gone.
 */
export async function respell(directory: OpenDirectory, name: string, wanted: string): Promise<void> {
  await directory.rename(name, directory, wanted);
  if (await isListed(directory, wanted)) return;
  const between = `.mcp-renamed-${randomUUID()}`;
  await directory.renameNew(name, directory, between);
  try {
    await directory.renameNew(between, directory, wanted);
  } catch (error) {
    await directory.rename(between, directory, name);
    throw error;
  }
}

async function isListed(directory: OpenDirectory, wanted: string): Promise<boolean> {
  for await (const { name } of directory.entries()) {
    if (name === wanted) return true;
  }
  return false;
}
