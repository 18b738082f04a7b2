import { Flag, Integer, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { readHead } from '../../repository/refs/head.ts';
import { cloneRepository, type CloneCall } from '../../repository/remotes/clone.ts';
import type { Repositories } from '../../repository/repositories.ts';
import { shortOid } from '../../text/format.ts';
import { MadeRepository } from './git-init.ts';

export class GitCloneInput {
  @Text('https or ssh URL without a password, or absolute path of a repository') url!: string;
  @Text('Directory to clone into; must be new or empty') path!: string;
  @Text('Branch or tag to check out; default: HEAD of the remote', { optional: true }) branch?: string;
  @Integer('Depth of a shallow clone, in commits; fetches one branch', { optional: true, min: 1, max: 1_000_000 }) depth?: number;
  @Flag('Create a bare repository, without a work tree') bare = false;
}

/** A cloned repository. */
export class ClonedRepository extends MadeRepository {
  @Text('URL of the remote') url!: string;
  @Text('Commit of HEAD; absent if the remote is empty', { optional: true }) oid?: string;
}

/**
 * Clones a remote repository, and reports its HEAD.
 *
 * @throws ToolError the errors of {@link cloneRepository}
 */
export async function gitClone(repositories: Repositories, input: GitCloneInput, call: CloneCall): Promise<Result> {
  const { repository, path, url } = await cloneRepository(repositories, input, call);
  const { branch, oid } = await readHead(repository);
  return formatClone({
    repository: repository.id,
    path,
    url,
    bare: input.bare,
    ...(branch !== undefined && { branch }),
    ...(oid !== undefined && { oid }),
  });
}

function formatClone(cloned: ClonedRepository): Result {
  const { url, path, branch, oid } = cloned;
  const head = oid === undefined ? ', without commits' : `, at ${shortOid(oid)}`;
  const place = branch === undefined ? '' : ` on ${escapeInvisible(branch)}`;
  return Result.of(cloned, `Cloned ${escapeInvisible(url)} into ${escapeInvisible(path)}${head}${place}`);
}
