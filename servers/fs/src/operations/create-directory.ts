import type { RequestContext } from '@org/mcp-decorators';

import type { Files } from '../files.ts';
import { missingDirectories, orUnmade, putOf } from '../write/make-parents.ts';
import { recorded } from '../write/recorded.ts';
import type { MadeChange } from './made-change.ts';
import type { PathInput } from './path-input.ts';

/**
 * Makes a directory, with all that lead to it; one that is there stays as it is.
 *
 * @throws ToolError NOT_DIRECTORY, NO_SPACE, and those of `Roots.makeDirectories`
 */
export async function createDirectory(files: Files, { path }: PathInput, { signal }: RequestContext): Promise<MadeChange> {
  signal.throwIfAborted();
  const missing = await missingDirectories(files, path);
  const { value, undoId } = await recorded(
    files,
    { tool: 'create_directory', steps: missing && [putOf(missing)], bytes: 0 },
    () =>
      orUnmade(files, missing, async () => {
        await using directory = await files.roots.makeDirectories(path);
        return directory.shown;
      }),
  );
  return { path: value, ...(undoId !== undefined && { undoId }) };
}
