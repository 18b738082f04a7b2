import { gitStatus } from '../operations/git-status.ts';
import type { Repository } from '../repository/repository.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { json, type Contents } from './contents.ts';

/** @throws ToolError NO_WORK_TREE */
export async function readStatus(repository: Repository): Promise<Contents> {
  requireWorkTree(repository);
  return json(await gitStatus(repository));
}
