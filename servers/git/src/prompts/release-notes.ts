import { Text } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { readCommits } from './commits.ts';
import { noChanges } from './no-changes.ts';
import { request, type PromptMessage } from './prompt-message.ts';

const MOST_COMMITS = 500;

export class ReleaseNotesArguments extends RepositoryInput {
  @Text('Branch, tag or commit of the release before; default: the last tag before, or the first commit', { optional: true })
  from?: string;

  @Text('Branch, tag or commit that is released; default: HEAD', { optional: true }) to?: string;
  @Text('Only commits of this author: a part of the name or address', { optional: true, maxLength: 200 }) author?: string;
}

/**
 * Asks for the notes of a release.
 *
 * @throws ToolError NO_CHANGES, INVALID_REVISION, EMPTY_REPO
 */
export async function releaseNotes(
  repository: Repository,
  { from, to = 'HEAD', author }: ReleaseNotesArguments,
): Promise<readonly PromptMessage[]> {
  const upTo = await resolveCommit(repository, to);
  const after = from === undefined ? await lastTagged(repository, upTo) : await resolveCommit(repository, from);
  const commits = await readCommits(repository, { after, upTo, author, most: MOST_COMMITS });
  if (commits.count === 0) throw noChanges('there are no such commits', 'name another from or to, or leave the author out');
  const words =
    'Write release notes from these commits for those who use this software: what is new, what is mended, what they have to change, ' +
    'the most important first. Leave out what they do not notice. Markdown.';
  return request(words, [commits]);
}

/** The last tag that an earlier commit has. */
async function lastTagged(repository: Repository, oid: string): Promise<string | undefined> {
  const command = ['describe', '--tags', '--abbrev=0', `${oid}^`];
  const { code, stdout } = await repository.read(command, { codes: [0, 128] });
  return code === 0 ? resolveCommit(repository, `refs/tags/${stdout.toString('utf8').trim()}`) : undefined;
}
