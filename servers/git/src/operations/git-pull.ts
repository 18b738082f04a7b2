import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString } from 'class-validator';

import { isAncestor } from '../repository/ancestry.ts';
import { existingBranch } from '../repository/branch-name.ts';
import { requireCurrentBranch } from '../repository/current-branch.ts';
import { hooksOf } from '../repository/hooks.ts';
import { readRemoteSettings, usualRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { requireWorkTree } from '../repository/work-tree.ts';
import { counted } from '../text/counted.ts';
import { quoted } from '../text/visible.ts';
import { gitFetch, GitFetchInput } from './git-fetch.ts';
import { RemoteInput } from './remote-input.ts';

export class GitPullInput extends RemoteInput {
  @Field("Branch of the remote; default: the current branch's upstream")
  @IsOptional()
  @IsString()
  branch?: string;
}

/** What the current branch got. */
export class PulledCommits {
  @IsString()
  branch!: string;

  @IsString()
  remote!: string;

  @IsString()
  url!: string;

  @Field('Absent if the branch had no commit')
  @IsOptional()
  @IsString()
  before?: string;

  @IsString()
  after!: string;

  @Field('New ones on the branch')
  @IsInt()
  commits!: number;
}

/**
 * Fetches a branch and moves the current one, and the work tree, forward to it; a branch that has commits of its own stays.
 *
 * Reports progress in hundredths.
 *
 * @throws ToolError NON_FAST_FORWARD, DETACHED_HEAD, NO_UPSTREAM, NO_WORK_TREE, CONFLICT where local changes are in the way, REMOTE_NOT_FOUND,
 * INVALID_REF_NAME, INVALID_REVISION, INVALID_URL, HOST_NOT_ALLOWED, REPO_UNTRUSTED, AUTH_REQUIRED, NETWORK, TIMEOUT, UNSAFE_OBJECTS, LOCKED
 */
export async function gitPull(repository: Repository, input: GitPullInput, context: RequestContext): Promise<PulledCommits> {
  requireWorkTree(repository);
  const branch = await requireCurrentBranch(repository);
  const source = await sourceOf(repository, branch, input);
  const { remote, url } = await gitFetch(repository, Object.assign(new GitFetchInput(), source), context);
  const after = await resolveCommit(repository, `refs/remotes/${remote}/${source.branch}`);
  return repository.alone(async () => {
    if ((await requireCurrentBranch(repository)) !== branch)
      throw new ToolError('PRECONDITION_FAILED', 'another branch was switched to meanwhile', { hint: 'pull again' });
    const before = await existingBranch(repository, branch);
    const commits = await moveForward(repository, before, after);
    return {
      branch,
      remote,
      url,
      ...(before !== undefined && { before }),
      after: commits === 0 ? (before ?? after) : after,
      commits,
    };
  });
}

/** @returns how many commits came */
async function moveForward(repository: Repository, before: string | undefined, after: string): Promise<number> {
  const count = await countBetween(repository, before, after);
  if (count === 0) return 0;
  if (before !== undefined && !(await isAncestor(repository, before, after))) {
    const own = await countBetween(repository, after, before);
    throw new ToolError(
      'NON_FAST_FORWARD',
      `the branch has ${counted(own, 'commit')} that the remote has not, and the remote ${count} that it has not`,
      {
        hint: `git_merge or git_rebase with ${after} joins them; it is fetched already`,
        data: { ahead: own, behind: count, oid: after },
      },
    );
  }
  await repository.write(['merge', '--ff-only', '--quiet', '--no-autostash', '--no-stat', after], hooksOf(repository.policy));
  return count;
}

async function countBetween(repository: Repository, from: string | undefined, to: string): Promise<number> {
  const { stdout } = await repository.read(['rev-list', '--count', to, ...(from === undefined ? [] : [`^${from}`])]);
  return Number(stdout.toString('utf8').trim());
}

async function sourceOf(
  repository: Repository,
  branch: string,
  input: GitPullInput,
): Promise<{ readonly remote: string; readonly branch: string; readonly repo_path?: string }> {
  const settings = await readRemoteSettings(repository);
  const upstream = settings.upstreams.get(branch);
  const remote = input.remote ?? usualRemote(settings, branch);
  const followed = upstream?.remote === remote ? /^refs\/heads\/(.+)$/s.exec(upstream.merge ?? '')?.[1] : undefined;
  const wanted = input.branch ?? followed;
  if (wanted !== undefined) return { remote, branch: wanted };
  throw new ToolError('NO_UPSTREAM', `${quoted(branch)} follows no branch of ${quoted(remote)}`, {
    hint: 'name the branch; git_push with set_upstream makes it follow one',
  });
}
