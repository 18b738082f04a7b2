import { Flag, Result, Text, ToolError, escapeInvisible, findNearestName } from '@org/mcp-decorators';

import { findBranch, requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { readHead } from '../../repository/refs/head.ts';
import { findOid } from '../../repository/refs/object.ts';
import { requireCommits, invalidRevisionError, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { switchHead } from '../../repository/work-tree/switch-head.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { splitLines } from '../../repository/parse/fields.ts';
import { decodeReferenceNames } from '../../repository/parse/references.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import type { BranchPosition } from './git-create-branch.ts';

export class GitCheckoutInput extends RepositoryInput {
  @Text('Local branch; track: a remote branch; detach: a tag or commit') branch_name!: string;
  @Flag('Create the branch at HEAD') create = false;
  @Flag('Create a branch that tracks the remote branch') track = false;
  @Flag('Detach HEAD') detach = false;
}

export class SwitchedBranch {
  @Text({ optional: true }) branch?: string;
  @Text() oid!: string;
  @Text({ optional: true }) previous?: string;
}

/**
 * Switches to a local branch, which may be new, or detaches HEAD at a commit. Fails if local changes would be lost.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, BRANCH_EXISTS, CONFLICT, EMPTY_REPO, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitCheckout(repository: Repository, input: GitCheckoutInput): Promise<Result> {
  requireWorkTree(repository);
  const { branch_name: given, create, track, detach } = input;
  if (detach) return detachAt(repository, input);
  if (create && track) throw new ToolError('INVALID_ARGUMENTS', '`track` already creates the branch: omit `create`');
  await requireBranchName(repository, given);
  const outcome = await repository.withWriteLock(async () => {
    const { branch: previous } = await readHead(repository);
    const { branch, how, follows } = await planSwitch(repository, input);
    await switchHead(repository, how);
    if (follows !== undefined) await repository.administer(['branch', '--quiet', `--set-upstream-to=${follows}`, '--', branch]);
    const oid = await resolveBranch(repository, branch);
    return { branch, oid, ...(previous !== undefined && { previous }) };
  });
  return formatSwitched(outcome);
}

async function detachAt(repository: Repository, { branch_name: given, create, track }: GitCheckoutInput): Promise<Result> {
  if (create || track) throw new ToolError('INVALID_ARGUMENTS', 'a new branch is not detached: omit `create` and `track`');
  const oid = await resolveCommit(repository, given);
  const previous = await repository.withWriteLock(async () => {
    const { branch } = await readHead(repository);
    await switchHead(repository, ['--detach', oid]);
    return branch;
  });
  const switched: SwitchedBranch = { oid, ...(previous !== undefined && { previous }) };
  const back = previous === undefined ? [] : [`To return: git_checkout with branch_name: ${escapeInvisible(previous)}`];
  return Result.of(switched, [`Detached HEAD at ${shortOid(oid)}`, ...back].join('\n'));
}

interface SwitchPlan {
  readonly branch: string;
  /** Arguments for `git switch`. */
  readonly how: readonly string[];
  /** Full name of the remote-tracking branch that becomes the upstream; absent if the call sets no upstream. */
  readonly follows?: string;
}

async function planSwitch(repository: Repository, { branch_name: given, create, track }: GitCheckoutInput): Promise<SwitchPlan> {
  if (!create && !track) {
    await requireLocal(repository, given);
    return { branch: given, how: [given] };
  }
  const remote = track ? await resolveRemoteBranch(repository, given) : undefined;
  const branch = remote?.branch ?? given;
  if (remote === undefined) await requireCommits(repository);
  else await requireBranchName(repository, branch);
  if ((await findBranch(repository, branch)) !== undefined)
    throw new ToolError('BRANCH_EXISTS', `the branch ${quoteInput(branch)} already exists`, {
      hint: 'to switch to the branch, omit `create` and `track`',
    });
  const how = ['--no-track', `--create=${branch}`];
  return remote === undefined ? { branch, how } : { branch, how: [...how, remote.ref], follows: remote.ref };
}

async function requireLocal(repository: Repository, branch: string): Promise<void> {
  if ((await findBranch(repository, branch)) !== undefined) return;
  const remote = await resolveRemoteBranch(repository, branch).catch(() => undefined);
  if (remote === undefined) {
    await requireNoCommit(repository, branch);
    await resolveBranch(repository, branch);
  } else
    throw new ToolError('INVALID_REVISION', `${quoteInput(branch)} is not a local branch`, {
      hint: `track: true creates a branch that tracks ${escapeInvisible(remote.ref.slice('refs/remotes/'.length))}`,
    });
}

/** @throws ToolError INVALID_REVISION if the name is not a branch, but names a tag or another commit */
async function requireNoCommit(repository: Repository, name: string): Promise<void> {
  if ((await findOid(repository, `${name}^{commit}`)) === undefined) return;
  const kind = (await findOid(repository, `refs/tags/${name}`)) === undefined ? 'commit' : 'tag';
  throw new ToolError('INVALID_REVISION', `${quoteInput(name)} is a ${kind}, not a branch`, {
    hint: `detach: true checks out the ${kind}; git_create_branch creates a branch there`,
  });
}

function formatSwitched(switched: BranchPosition): Result {
  return Result.of(switched, `Switched to ${escapeInvisible(switched.branch)}, at ${shortOid(switched.oid)}`);
}

/** A remote-tracking branch. */
interface RemoteBranch {
  /** Full name, such as `refs/remotes/origin/feature`. */
  readonly ref: string;
  /** Name of the branch at the remote, without the name of the remote. */
  readonly branch: string;
}

/**
 * Finds a remote-tracking branch by its name with the remote (`origin/feature`), or without it (`feature`) if only one remote has
 * this branch.
 *
 * @throws ToolError INVALID_REVISION with the most similar name, or if several remotes have the branch
 */
async function resolveRemoteBranch(repository: Repository, name: string): Promise<RemoteBranch> {
  const [{ stdout }, listed] = await Promise.all([
    repository.read(['for-each-ref', '--format=%(refname)%00', 'refs/remotes']),
    repository.read(['remote']),
  ]);
  const remotes = splitLines(listed.stdout);
  const branches = decodeReferenceNames(stdout).flatMap((ref) => parseRemoteBranch(ref, remotes));
  const found = branches.filter(({ ref, branch }) => ref === `refs/remotes/${name}` || branch === name);
  const [first] = found;
  if (first === undefined) throw invalidRevisionError(name, findNearestName(name, branches.map(formatShortName)));
  if (found.length === 1) return first;
  throw new ToolError('INVALID_REVISION', `several remotes have a branch ${quoteInput(name)}`, {
    hint: `use one of ${found.map(formatShortName).join(', ')}`,
  });
}

function formatShortName({ ref }: RemoteBranch): string {
  return ref.slice('refs/remotes/'.length);
}

/** Splits the name of a reference into remote and branch. The name of a remote may contain a slash. */
function parseRemoteBranch(ref: string, remotes: readonly string[]): readonly RemoteBranch[] {
  const remote = remotes
    .filter((each) => ref.startsWith(`refs/remotes/${each}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (remote === undefined) return [];
  const branch = ref.slice(`refs/remotes/${remote}/`.length);
  return branch === 'HEAD' ? [] : [{ ref, branch }];
}
