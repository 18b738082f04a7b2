import type { Repository } from '../../repository/repository.ts';
import { GitLogInput, readLogPage } from '../../tools/history/git-log.ts';
import { jsonContents, type Contents } from './contents.ts';
import type { LogUri } from './uris.ts';

/** Number of commits on one page of the log resource. */
export const LOG_PAGE = 50;

/**
 * Reads a page of the log, newest commit first.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS
 */
export async function readLog(repository: Repository, { rev, cursor }: Pick<LogUri, 'rev' | 'cursor'>): Promise<Contents> {
  const from = { ...(rev !== undefined && { revision: rev }), ...(cursor !== undefined && { cursor }) };
  return jsonContents(await readLogPage(repository, Object.assign(new GitLogInput(), { max_count: LOG_PAGE, ...from })));
}
