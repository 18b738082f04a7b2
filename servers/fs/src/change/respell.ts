import { randomUUID } from 'node:crypto';

import type { OpenDirectory } from '@org/mcp-roots';

/**
 * Changes the spelling of a name. The file system treats the old and the new spelling as one name.
 *
 * Linux ignores a rename to another name of the same file, so the rename takes two steps there. The intermediate name does not
 * have the form of a temporary file, because temporary files of ended processes are removed.
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
