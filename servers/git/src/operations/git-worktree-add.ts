import path from 'node:path';

import { Flag, Text, ToolError } from '@org/mcp-decorators';
import { type Place, type Roots } from '@org/mcp-roots';

import { branchCommit, existingBranch, requireBranchName } from '../repository/branch-name.ts';
import { hooksOf } from '../repository/hooks.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { addWorktree, worktreesOf } from '../repository/worktrees.ts';
import { quoted } from '../text/visible.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitWorktreeAddInput extends RepositoryInput {
  @Text('Directory to make, in one that exists; relative to the first allowed directory') path!: string;
  @Text('Local branch to check out there; one that no other work tree has', { optional: true }) branch?: string;
  @Flag('Make the branch') create = false;

  @Text('Commit that a new branch begins at, or that is checked out without a branch; default: HEAD', { optional: true })
  revision?: string;
}

/** A new work tree. */
export class AddedWorktree {
  @Text() path!: string;
  @Text() oid!: string;
  @Text('Absent on a detached HEAD', { optional: true }) branch?: string;
}

/**
 * Makes a work tree in a directory that is not there yet.
 *
 * @throws ToolError PATH_OUTSIDE_ROOTS, ALREADY_EXISTS, INVALID_PATH, INVALID_REF_NAME, INVALID_REVISION, BRANCH_EXISTS, CONFLICT,
 * EMPTY_REPO, INVALID_ARGUMENTS, LOCKED
 */
export async function gitWorktreeAdd(repository: Repository, input: GitWorktreeAddInput, roots: Roots): Promise<AddedWorktree> {
  await using place = await roots.placeToMove(input.path);
  await requireFree(repository, place, { input, roots });
  // Awaited here: the handle of the place is closed when this function is left.
  return await repository.alone(async () => {
    const { oid, flags, commit } = await checkoutOf(repository, input);
    // By the handle that was verified: git itself would follow what somebody puts there meanwhile.
    await place.directory.makeDirectory(place.name);
    try {
      const { real, shown } = await roots.existing(input.path);
      await addWorktree(repository, { directory: real, flags, commit }, hooksOf(repository.policy));
      return { path: shown, oid, ...(input.branch !== undefined && { branch: input.branch }) };
    } catch (error) {
      await place.directory.removeDirectory(place.name).catch(() => undefined);
      throw error;
    }
  });
}

interface Target {
  readonly input: GitWorktreeAddInput;
  readonly roots: Roots;
}

async function requireFree({ ground }: Repository, { facts, shown }: Place, { input, roots }: Target): Promise<void> {
  if (facts !== undefined)
    throw new ToolError('ALREADY_EXISTS', `${quoted(input.path)} exists already`, {
      hint: 'name a directory that is not there yet',
    });
  const { real } = await roots.existing(path.dirname(shown));
  const isInside = (directory: string): boolean => real === directory || real.startsWith(directory + path.sep);
  const names = [...real.split(path.sep), path.basename(shown)];
  if (names.some((name) => name.toLowerCase() === '.git') || isInside(ground.gitDir) || isInside(ground.commonDir))
    throw new ToolError('INVALID_PATH', `${quoted(input.path)} is part of a git directory`);
}

interface Checkout {
  readonly oid: string;
  readonly flags: readonly string[];
  /** What git is told to check out there. */
  readonly commit: string;
}

async function checkoutOf(repository: Repository, { branch, create, revision }: GitWorktreeAddInput): Promise<Checkout> {
  if (branch === undefined) {
    if (create) throw new ToolError('INVALID_ARGUMENTS', 'create needs the name of the branch');
    const oid = await resolveCommit(repository, revision ?? 'HEAD');
    return { oid, flags: ['--detach'], commit: oid };
  }
  await requireBranchName(repository, branch);
  return create ? newBranch(repository, branch, revision) : ownBranch(repository, branch, revision);
}

async function newBranch(repository: Repository, branch: string, revision = 'HEAD'): Promise<Checkout> {
  const oid = await resolveCommit(repository, revision);
  if ((await existingBranch(repository, branch)) !== undefined)
    throw new ToolError('BRANCH_EXISTS', `there is a branch ${quoted(branch)} already`, {
      hint: 'leave out create to check it out',
    });
  return { oid, flags: ['--no-track', '-b', branch], commit: oid };
}

async function ownBranch(repository: Repository, branch: string, revision: string | undefined): Promise<Checkout> {
  if (revision !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'a branch is checked out where it is: revision needs create', {
      hint: 'leave out branch to look at the revision',
    });
  const oid = await branchCommit(repository, branch);
  // git would name the directory, which may be outside.
  if ((await worktreesOf(repository)).some((worktree) => worktree.branch === branch))
    throw new ToolError('CONFLICT', `${quoted(branch)} is checked out in another work tree`, {
      hint: 'git_worktree_list names it; create makes a branch of its own',
    });
  return { oid, flags: [], commit: branch };
}
