import { ToolError } from '@org/mcp-decorators';

import { unmergedIn } from '../repository/joining.ts';
import type { Unmerged } from '../repository/parse/unmerged.ts';
import { pathInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { quoted } from '../text/visible.ts';
import type { Contents } from './contents.ts';
import { fileContents } from './read-blob-resource.ts';
import type { ConflictUri } from './uris.ts';

/**
 * One side of a file with a conflict, of at most `maxBytes`.
 *
 * @throws ToolError PATH_NOT_FOUND where that side has no such file, TOO_LARGE, NO_WORK_TREE, and those of `pathInside`
 */
export async function readConflict(
  repository: Repository,
  { stage, path }: Pick<ConflictUri, 'stage' | 'path'>,
): Promise<Contents> {
  const file = pathInside(repository, path);
  const found = (await readConflicts(repository)).find((each) => each.path === file);
  const side = found?.stages.find((each) => String(each.stage) === stage);
  const contents = side && (await readSide(repository, side.oid));
  if (contents === undefined)
    throw new ToolError('PATH_NOT_FOUND', `there is no conflict in ${quoted(path)} with a stage ${stage}`);
  return contents;
}

/** What one side has; none for a submodule. */
export async function readSide(repository: Repository, oid: string): Promise<Contents | undefined> {
  const found = await repository.object(oid);
  return found && fileContents(found.content);
}

/** Every file with a conflict, with its sides. */
export function readConflicts(repository: Repository): Promise<readonly Unmerged[]> {
  requireWorkTree(repository);
  return unmergedIn(repository);
}
