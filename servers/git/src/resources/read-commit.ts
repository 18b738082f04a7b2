import { gitShow, GitShowInput } from '../operations/git-show.ts';
import type { Repository } from '../repository/repository.ts';
import { bodyContents, type Contents } from './contents.ts';
import type { CommitUri } from './uris.ts';

/**
 * A commit's message and what it changed.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function readCommit(repository: Repository, { rev }: Pick<CommitUri, 'rev'>): Promise<Contents> {
  return bodyContents(await gitShow(repository, Object.assign(new GitShowInput(), { revision: rev })), 'text/plain');
}
