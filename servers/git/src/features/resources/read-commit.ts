import { invalidRevisionError, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { cutLines } from '../../text/cut.ts';
import { GitShowInput, showRevision } from '../../tools/history/git-show.ts';
import { formatCommitText } from '../../tools/history/show-result.ts';
import { bodyContents, type Contents } from './contents.ts';
import type { CommitUri } from './uris.ts';

/**
 * Reads the message and diff of a commit.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function readCommit(repository: Repository, { rev }: Pick<CommitUri, 'rev'>): Promise<Contents> {
  const revision = await resolveCommit(repository, rev);
  const shown = await showRevision(repository, Object.assign(new GitShowInput(), { revision }));
  if (shown.type !== 'commit') throw invalidRevisionError(rev);
  const { text, truncated } = cutLines(formatCommitText(shown), repository.limits.maxBytes);
  return bodyContents({ text, truncated: truncated || shown.diff.truncated, oid: revision }, 'text/plain');
}
