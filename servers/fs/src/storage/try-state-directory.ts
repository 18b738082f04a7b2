import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makePrivateDirectory } from '@org/mcp-host';

/**
 * Creates the state directory and a file in it, like the first change of a server, and removes what it created. Returns why the
 * directory cannot be used, or `undefined` if it can be.
 *
 * @param directory absolute
 */
export async function tryStateDirectory(directory: string): Promise<string | undefined> {
  const missing = await listMissing(directory);
  try {
    await mkdir(path.dirname(directory), { recursive: true });
    await makePrivateDirectory(directory);
    const file = path.join(directory, `${randomUUID()}.tmp`);
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    await rm(file);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    // A directory that another process uses by now is not empty, and remains.
    for (const created of missing) await rmdir(created).catch(ignore);
  }
}

/** Returns the directories on the path that do not exist, the deepest first. */
async function listMissing(directory: string): Promise<readonly string[]> {
  const exists = await lstat(directory).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(directory);
  return exists || parent === directory ? [] : [directory, ...(await listMissing(parent))];
}

function ignore(): void {
  // The directory could not be created, or is used.
}
