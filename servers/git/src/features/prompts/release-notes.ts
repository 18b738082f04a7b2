import { Text } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readCommits } from './commits.ts';
import { buildPrompt, noChangesError, type PromptMessage } from './prompt-message.ts';

const MAX_COMMITS = 500;

export class ReleaseNotesArguments extends RepositoryInput {
  @Text('Branch, tag or commit of the previous release; default: the previous tag, or the first commit', { optional: true })
  from?: string;

  @Text('Branch, tag or commit to release; default: HEAD', { optional: true }) to?: string;
  @Text('Restrict to commits by this author: a part of the name or email', { optional: true, maxLength: 200 }) author?: string;
}

/**
 * Builds the prompt to write release notes.
 *
 * @throws ToolError NO_CHANGES, INVALID_REVISION, EMPTY_REPO
 */
export async function releaseNotes(
  repository: Repository,
  { from, to = 'HEAD', author }: ReleaseNotesArguments,
): Promise<readonly PromptMessage[]> {
  const upTo = await resolveCommit(repository, to);
  const after = from === undefined ? await findLastTag(repository, upTo) : await resolveCommit(repository, from);
  const commits = await readCommits(repository, { after, upTo, author, most: MAX_COMMITS });
  if (commits.count === 0) throw noChangesError('no commits match', 'use another from or to, or omit the author');
  const words =
    'Write release notes from these commits for the users of this software: what is new, what is fixed, and what they have to change, ' +
    'the most important first. Omit changes that users do not notice. Use Markdown.';
  return buildPrompt(words, [commits]);
}

/**
 * Returns the commit of the nearest tag that is reachable from the first parent of a commit, or `undefined` if no such tag
 * exists.
 */
async function findLastTag(repository: Repository, oid: string): Promise<string | undefined> {
  const command = ['describe', '--tags', '--abbrev=0', `${oid}^`];
  const { code, stdout } = await repository.read(command, { codes: [0, 128] });
  return code === 0 ? resolveCommit(repository, `refs/tags/${stdout.toString('utf8').trim()}`) : undefined;
}
