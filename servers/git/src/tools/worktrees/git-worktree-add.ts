import path from 'node:path';

import { Flag, Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';
import type { PathEntry, Roots } from '@org/mcp-roots';

import { configureHooks } from '../../repository/hooks.ts';
import { findBranch, requireBranchName, resolveBranch } from '../../repository/refs/branch-name.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import { addWorktree, readWorktrees } from '../../repository/refs/worktrees.ts';
import type { Repository } from '../../repository/repository.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatPosition } from './git-worktree-list.ts';

export class GitWorktreeAddInput extends RepositoryInput {
  @Text('New directory in an existing directory; relative to the first allowed directory') path!: string;
  @Text('Local branch to check out; must not be checked out elsewhere', { optional: true }) branch?: string;
  @Flag('Create the branch') create = false;

  @Text('Start of a new branch, or commit to check out without a branch; default: HEAD', { optional: true })
  revision?: string;
}

/** A new work tree. */
export class AddedWorktree {
  @Text() path!: string;
  @Text() oid!: string;
  @Text('Branch, if any', { optional: true }) branch?: string;
}

/**
 * Creates a work tree in a new directory.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, ALREADY_EXISTS, INVALID_PATH, INVALID_REF_NAME, INVALID_REVISION, BRANCH_EXISTS, CONFLICT,
 * EMPTY_REPO, INVALID_ARGUMENTS, LOCKED
 */
export async function gitWorktreeAdd(repository: Repository, input: GitWorktreeAddInput, roots: Roots): Promise<Result> {
  await using place = await roots.findEntryToMove(input.path);
  await requireFree(repository, place, { input, roots });
  const outcome = await repository.withWriteLock(async () => {
    const { oid, flags, commit } = await planCheckout(repository, input);
    // The directory is created through the verified handle, because git would follow a link that was put there after the check.
    await place.directory.makeDirectory(place.name);
    try {
      const { real, shown } = await roots.resolveExisting(input.path);
      await addWorktree(repository, { directory: real, flags, commit }, configureHooks(repository.policy));
      return { path: shown, oid, ...(input.branch !== undefined && { branch: input.branch }) };
    } catch (error) {
      await place.directory.removeDirectory(place.name).catch(() => undefined);
      throw error;
    }
  });
  return formatAddedWorktree(outcome);
}

interface Target {
  readonly input: GitWorktreeAddInput;
  readonly roots: Roots;
}

async function requireFree({ layout }: Repository, { facts, shown }: PathEntry, { input, roots }: Target): Promise<void> {
  if (facts !== undefined)
    throw new ToolError('ALREADY_EXISTS', `${quoteInput(input.path)} already exists`, {
      hint: 'choose a directory that does not exist yet',
    });
  const { real } = await roots.resolveExisting(path.dirname(shown));
  const isInside = (directory: string): boolean => real === directory || real.startsWith(directory + path.sep);
  const names = [...real.split(path.sep), path.basename(shown)];
  if (names.some((name) => name.toLowerCase() === '.git') || isInside(layout.gitDir) || isInside(layout.commonDir))
    throw new ToolError('INVALID_PATH', `${quoteInput(input.path)} is inside a git directory`);
}

interface Checkout {
  readonly oid: string;
  readonly flags: readonly string[];
  /** Branch or commit that git checks out. */
  readonly commit: string;
}

async function planCheckout(repository: Repository, { branch, create, revision }: GitWorktreeAddInput): Promise<Checkout> {
  if (branch === undefined) {
    if (create) throw new ToolError('INVALID_ARGUMENTS', '`create` requires `branch`, the name of the new branch');
    const oid = await resolveCommit(repository, revision ?? 'HEAD');
    return { oid, flags: ['--detach'], commit: oid };
  }
  await requireBranchName(repository, branch);
  return create ? planNewBranch(repository, branch, revision) : planExistingBranch(repository, branch, revision);
}

async function planNewBranch(repository: Repository, branch: string, revision = 'HEAD'): Promise<Checkout> {
  const oid = await resolveCommit(repository, revision);
  if ((await findBranch(repository, branch)) !== undefined)
    throw new ToolError('BRANCH_EXISTS', `the branch ${quoteInput(branch)} already exists`, {
      hint: 'to check out the existing branch, omit create',
    });
  return { oid, flags: ['--no-track', '-b', branch], commit: oid };
}

async function planExistingBranch(repository: Repository, branch: string, revision: string | undefined): Promise<Checkout> {
  if (revision !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'revision requires create: an existing branch is checked out at its own commit', {
      hint: 'omit branch to check out the revision',
    });
  const oid = await resolveBranch(repository, branch);
  // Git's own error would contain the path of the other work tree, which may be outside the allowed directories.
  if ((await readWorktrees(repository)).some((worktree) => worktree.branch === branch))
    throw new ToolError('CONFLICT', `${quoteInput(branch)} is checked out in another work tree`, {
      hint: 'git_worktree_list lists the work trees; to create another branch, set create',
    });
  return { oid, flags: [], commit: branch };
}

function formatAddedWorktree(added: AddedWorktree): Result {
  const { path, oid, branch } = added;
  return Result.of(added, `Created ${escapeInvisible(path)}, ${formatPosition(branch, oid)}`);
}
