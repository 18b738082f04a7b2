import { Text, ToolError } from '@org/mcp-decorators';

import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { RepositoryInput } from '../../tools/inputs/repository-input.ts';
import { readStagedDiff } from '../resources/read-diff.ts';
import { readCommits } from './commits.ts';
import { buildPrompt, type Material, type PromptMessage } from './prompt-message.ts';

export const STYLES = [
  'like the last commits',
  'Conventional Commits',
  'one line',
  'a subject and a body with the reason',
] as const;

/** Number of commits whose messages serve as examples of the style. */
const EXAMPLES = 15;

export class CommitMessageArguments extends RepositoryInput {
  @Text('Style of the message; default: like the last commits', { optional: true, maxLength: 1000 }) style?: string;
}

/**
 * Builds the prompt to write a message for the staged changes.
 *
 * @throws ToolError NOTHING_TO_COMMIT, NO_WORK_TREE
 */
export async function commitMessage(
  repository: Repository,
  { style = STYLES[0] }: CommitMessageArguments,
): Promise<readonly PromptMessage[]> {
  const contents = await readStagedDiff(repository);
  if (contents.text === '') throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged', { hint: 'stage files with git_add' });
  const words =
    'Write the commit message for the staged changes below: what changes, and why, as far as the diff shows the reason. ' +
    `Style: ${style}. Answer with the message only; git_commit accepts it.`;
  return buildPrompt(words, [
    { uri: formatGitUri(repository.id, 'diff', 'staged'), contents },
    ...(await readExamples(repository)),
  ]);
}

async function readExamples(repository: Repository): Promise<readonly Material[]> {
  try {
    const commits = await readCommits(repository, { upTo: await resolveCommit(repository, 'HEAD'), most: EXAMPLES });
    // Without `truncated`, the prompt does not report that older commits were omitted from the examples.
    return [{ ...commits, contents: { ...commits.contents, _meta: {} } }];
  } catch (error) {
    if (ToolError.is(error) && error.code === 'EMPTY_REPO') return [];
    throw error;
  }
}
