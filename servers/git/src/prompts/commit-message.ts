import { Text, ToolError } from '@org/mcp-decorators';

import { RepositoryInput } from '../operations/repository-input.ts';
import type { Repository } from '../repository/repository.ts';
import { readStagedDiff } from '../resources/read-diff.ts';
import { resolveCommit } from '../repository/revision.ts';
import { gitUri } from '../text/git-uri.ts';
import { readCommits } from './commits.ts';
import { request, type Material, type PromptMessage } from './prompt-message.ts';

export const STYLES = ['as the last commits', 'Conventional Commits', 'one line', 'a subject and a body that says why'] as const;

/** Commits whose messages show the style. */
const EXAMPLES = 15;

export class CommitMessageArguments extends RepositoryInput {
  @Text('How it is written; default: as the last commits', { optional: true, maxLength: 1000 }) style?: string;
}

/**
 * Asks for the message of a commit of what is staged.
 *
 * @throws ToolError NOTHING_TO_COMMIT, NO_WORK_TREE
 */
export async function commitMessage(
  repository: Repository,
  { style = STYLES[0] }: CommitMessageArguments,
): Promise<readonly PromptMessage[]> {
  const contents = await readStagedDiff(repository);
  if (contents.text === '') throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged', { hint: 'git_add stages files' });
  const words =
    'Write the message of a commit of the staged changes below: what changes, and why as far as it shows. ' +
    `Style: ${style}. Answer with the message alone; git_commit takes it.`;
  return request(words, [{ uri: gitUri(repository.id, 'diff', 'staged'), contents }, ...(await examples(repository))]);
}

async function examples(repository: Repository): Promise<readonly Material[]> {
  try {
    const commits = await readCommits(repository, { upTo: await resolveCommit(repository, 'HEAD'), most: EXAMPLES });
    // That there are older ones is no loss.
    return [{ ...commits, contents: { ...commits.contents, _meta: {} } }];
  } catch (error) {
    if (ToolError.is(error) && error.code === 'EMPTY_REPO') return [];
    throw error;
  }
}
