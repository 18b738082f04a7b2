import { Result, type RequestContext } from '@org/mcp-decorators';

import { createDirectoriesStep, findMissingDirectories, removeIfFailed } from '../../change/missing-directories.ts';
import { runRecorded } from '../../change/run-recorded.ts';
import { visibleName } from '../../text/format.ts';
import type { Files } from '../files.ts';
import type { PathInput } from '../path-input.ts';
import { madeChangeResult, type MadeChange } from './change-result.ts';

/**
 * Creates a directory and its missing parents. An existing directory stays as it is.
 *
 * @throws ToolError NOT_DIRECTORY, NO_SPACE, and the codes of `Roots.makeDirectories`
 */
export async function createDirectory(files: Files, { path }: PathInput, { signal }: RequestContext): Promise<MadeChange> {
  signal.throwIfAborted();
  const missing = await findMissingDirectories(files, path);
  const { value, undoId } = await runRecorded(
    files,
    { tool: 'create_directory', steps: missing && [createDirectoriesStep(missing)], bytes: 0 },
    () =>
      removeIfFailed(files, missing, async () => {
        await using directory = await files.roots.makeDirectories(path);
        return directory.shown;
      }),
  );
  return { path: value, ...(undoId !== undefined && { undoId }) };
}

export function createdDirectoryResult(change: MadeChange): Result {
  if (change.undoId === undefined) return Result.of({ ...change, existed: true }, `${visibleName(change.path)} already exists`);
  return madeChangeResult(change, 'Created directory', []);
}
