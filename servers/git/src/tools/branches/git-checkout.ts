import { Flag, Result, Text, ToolError, escapeInvisible, findNearestName } from '@org/mcp-decorators';

import { configureHooks } from '../../repository/hooks.ts';
import { findBranch, requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { readHead } from '../../repository/refs/head.ts';
import { requireCommits, invalidRevisionError } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { splitLines } from '../../repository/parse/fields.ts';
import { decodeReferenceNames } from '../../repository/parse/references.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { BranchPosition } from './git-create-branch.ts';

export class GitCheckoutInput extends RepositoryInput {
  @Text('Local branch; with track, a remote branch such as origin/feature') branch_name!: string;
  @Flag('Create the branch at HEAD') create = false;
  @Flag('Create a local branch that tracks the remote branch') track = false;
}

export class SwitchedBranch extends BranchPosition {
  @Text('Previous branch, if any', { optional: true }) previous?: string;
}

/**
 * Switches to a local branch, which may be new. Fails if local changes would be lost.
 *
 * @throws ToolError INVALID_REF_NAME, INVALID_REVISION, BRANCH_EXISTS, CONFLICT, EMPTY_REPO, INVALID_ARGUMENTS, NO_WORK_TREE, LOCKED
 */
export async function gitCheckout(repository: Repository, input: GitCheckoutInput): Promise<Result> {
  requireWorkTree(repository);
  const { branch_name: given, create, track } = input;
  if (create && track) throw new ToolError('INVALID_ARGUMENTS', '`track` already creates the branch: omit `create`');
  await requireBranchName(repository, given);
  const outcome = await repository.withWriteLock(async () => {
    const { branch: previous } = await readHead(repository);
    const { branch, how, follows } = await planSwitch(repository, input);
    // `git checkout` is not used: if no branch has this name, it would treat the name as a path and discard the changes to that file.
    const command = ['switch', '--quiet', '--no-guess', '--no-overwrite-ignore', '--no-recurse-submodules', ...how];
    await repository.write(command, configureHooks(repository.policy));
    if (follows !== undefined) await repository.administer(['branch', '--quiet', `--set-upstream-to=${follows}`, '--', branch]);
    const oid = await resolveBranch(repository, branch);
    return { branch, oid, ...(previous !== undefined && { previous }) };
  });
  return formatSwitched(outcome);
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
  if (remote === undefined) await resolveBranch(repository, branch);
  else
    throw new ToolError('INVALID_REVISION', `${quoteInput(branch)} is not a local branch`, {
      hint: `track: true creates a branch that tracks ${escapeInvisible(remote.ref.slice('refs/remotes/'.length))}`,
    });
}

function formatSwitched(switched: SwitchedBranch): Result {
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
