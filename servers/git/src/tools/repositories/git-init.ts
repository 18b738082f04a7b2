import { Flag, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { requireBranchName } from '../../repository/refs/branch-name.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';

export class GitInitInput {
  @Text('New or existing directory; existing files remain') repo_path!: string;
  @Text('First branch (default main)') initial_branch = 'main';
  @Flag('Without a work tree') bare = false;
}

/** A new repository. */
export class MadeRepository {
  @Text('Repository name in URIs') repository!: string;
  @Text() path!: string;
  @Text({ optional: true }) branch?: string;
  @Flag() bare!: boolean;
}

/**
 * Creates an empty repository without the hooks and files of a template.
 *
 * @throws ToolError REPO_EXISTS, INVALID_REF_NAME, ALREADY_EXISTS, INVALID_PATH, PATH_OUTSIDE_ROOTS, NOT_FOUND
 */
export async function gitInit(repositories: Repositories, input: GitInitInput, scope: CallScope): Promise<Result> {
  const { repo_path, initial_branch: branch, bare } = input;
  await using made = await repositories.createNew({ path: repo_path, allowsFiles: !bare }, scope);
  await requireBranchName(made, branch);
  await made.run(['init', '--quiet', `--initial-branch=${branch}`, ...(bare ? ['--bare'] : [])]);
  const path = await made.save();
  const { id } = await repositories.open(path, scope);
  return formatInit({ repository: id, path, branch, bare });
}

function formatInit(made: MadeRepository): Result {
  const branch = made.branch === undefined ? '' : `, on branch ${escapeInvisible(made.branch)}`;
  return Result.of(made, `Created an empty ${made.bare ? 'bare ' : ''}repository in ${escapeInvisible(made.path)}${branch}`);
}
