import { ToolError } from '@org/mcp-decorators';

import { listUnmerged } from '../../repository/integrate/conflicts.ts';
import type { UnmergedFile } from '../../repository/parse/unmerged.ts';
import type { Repository } from '../../repository/repository.ts';
import { resolvePath, requireWorkTree } from '../../repository/work-tree/paths.ts';
import { quoteInput } from '../../text/visible.ts';
import type { Contents } from './contents.ts';
import { fileContents } from './read-blob-resource.ts';
import type { ConflictUri } from './uris.ts';

/**
 * Reads one side of a file with a conflict. The side may have at most `maxBytes` bytes.
 *
 * @throws ToolError PATH_NOT_FOUND if the file has no conflict with this stage, TOO_LARGE, NO_WORK_TREE, and the errors of
 * {@link resolvePath}
 */
export async function readConflict(
  repository: Repository,
  { stage, path }: Pick<ConflictUri, 'stage' | 'path'>,
): Promise<Contents> {
  const file = resolvePath(repository, path);
  const found = (await readConflicts(repository)).find((each) => each.path === file);
  const side = found?.stages.find((each) => String(each.stage) === stage);
  const contents = side && (await readSide(repository, side.oid));
  if (contents === undefined) throw new ToolError('PATH_NOT_FOUND', `${quoteInput(path)} has no conflict with stage ${stage}`);
  return contents;
}

/** Reads one side of a conflict. Returns `undefined` if the object does not exist, as for the commit of a submodule. */
export async function readSide(repository: Repository, oid: string): Promise<Contents | undefined> {
  const found = await repository.object(oid);
  return found && fileContents(found.content);
}

/** Lists all files with conflicts and their sides. */
export function readConflicts(repository: Repository): Promise<readonly UnmergedFile[]> {
  requireWorkTree(repository);
  return listUnmerged(repository);
}
