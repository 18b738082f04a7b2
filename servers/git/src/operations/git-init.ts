import { Flag, Text } from '@org/mcp-decorators';

import { requireBranchName } from '../repository/branch-name.ts';
import type { CallScope, Repositories } from '../repository/repositories.ts';

export class GitInitInput {
  @Text('New or existing directory; its files stay') repo_path!: string;
  @Text('Name of the first branch') initial_branch = 'main';
  @Flag('Without a work tree') bare = false;
}

/** A repository that was made. */
export class MadeRepository {
  @Text('As resources name it') repository!: string;
  @Text() path!: string;
  @Text({ optional: true }) branch?: string;
  @Flag() bare!: boolean;
}

/**
 * Makes an empty repository, without hooks or anything else of a template.
 *
 * @throws ToolError REPO_EXISTS, INVALID_REF_NAME, ALREADY_EXISTS, INVALID_PATH, PATH_OUTSIDE_ROOTS, NOT_FOUND
 */
export async function gitInit(repositories: Repositories, input: GitInitInput, scope: CallScope): Promise<MadeRepository> {
  const { repo_path, initial_branch: branch, bare } = input;
  await using made = await repositories.begin({ path: repo_path, around: !bare }, scope);
  await requireBranchName(made, branch);
  await made.run(['init', '--quiet', `--initial-branch=${branch}`, ...(bare ? ['--bare'] : [])]);
  const path = await made.save();
  const { id } = await repositories.open(path, scope);
  return { repository: id, path, branch, bare };
}
