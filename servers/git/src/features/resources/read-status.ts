import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { collectStatus } from '../../tools/inspect/git-status.ts';
import { jsonContents, type Contents } from './contents.ts';

/** @throws ToolError NO_WORK_TREE */
export async function readStatus(repository: Repository): Promise<Contents> {
  requireWorkTree(repository);
  return jsonContents(await collectStatus(repository));
}
