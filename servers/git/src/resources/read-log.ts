import { gitLog, GitLogInput } from '../operations/git-log.ts';
import type { Repository } from '../repository/repository.ts';
import { json, type Contents } from './contents.ts';
import type { LogUri } from './uris.ts';

/** Commits on one page. */
export const LOG_PAGE = 50;

/**
 * A page of history, newest first.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS
 */
export async function readLog(repository: Repository, { rev, cursor }: Pick<LogUri, 'rev' | 'cursor'>): Promise<Contents> {
  const from = { ...(rev !== undefined && { revision: rev }), ...(cursor !== undefined && { cursor }) };
  return json(await gitLog(repository, Object.assign(new GitLogInput(), { max_count: LOG_PAGE, ...from })));
}
