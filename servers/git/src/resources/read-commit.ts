import { gitShow, GitShowInput } from '../operations/git-show.ts';
import type { Repository } from '../repository/repository.ts';
import { invalidRevision, resolveCommit } from '../repository/revision.ts';
import { commitText } from '../results/show-results.ts';
import { cutText } from '../text/cut-text.ts';
import { bodyContents, type Contents } from './contents.ts';
import type { CommitUri } from './uris.ts';

/**
 * A commit's message and what it changed.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function readCommit(repository: Repository, { rev }: Pick<CommitUri, 'rev'>): Promise<Contents> {
  const revision = await resolveCommit(repository, rev);
  const shown = await gitShow(repository, Object.assign(new GitShowInput(), { revision }));
  if (shown.type !== 'commit') throw invalidRevision(rev);
  const { text, truncated } = cutText(commitText(shown), repository.limits.maxBytes);
  return bodyContents({ text, truncated: truncated || shown.diff.truncated, oid: revision }, 'text/plain');
}
