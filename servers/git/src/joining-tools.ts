import { confirmedResult, RequestContext, type Result, Tool } from '@org/mcp-decorators';

import { ChangingTools } from './changing-tools.ts';
import { ADDS, LOSES, READS, SETS } from './hints.ts';
import { gitAbort, GitAbortInput } from './operations/git-abort.ts';
import { gitCherryPick, GitCherryPickInput } from './operations/git-cherry-pick.ts';
import { ConflictList, gitConflicts, GitConflictsInput } from './operations/git-conflicts.ts';
import { gitContinue, GitContinueInput } from './operations/git-continue.ts';
import { gitMerge, GitMergeInput } from './operations/git-merge.ts';
import { gitRebase, GitRebaseInput } from './operations/git-rebase.ts';
import { gitRevert, GitRevertInput } from './operations/git-revert.ts';
import { gitSkip, GitSkipInput } from './operations/git-skip.ts';
import { AddedWorktree, gitWorktreeAdd, GitWorktreeAddInput } from './operations/git-worktree-add.ts';
import { gitWorktreeList, GitWorktreeListInput, WorktreeList } from './operations/git-worktree-list.ts';
import { gitWorktreePrune, GitWorktreePruneInput, PrunedWorktrees } from './operations/git-worktree-prune.ts';
import { gitWorktreeRemove, GitWorktreeRemoveInput } from './operations/git-worktree-remove.ts';
import {
  addedWorktreeResult,
  conflictsResult,
  joinedResult,
  prunedResult,
  removedWorktreeResult,
  worktreesResult,
} from './results/joining-results.ts';

/** Tools that bring commits of one branch to another, and go on with or give up what stopped at a conflict. */
export abstract class JoiningTools extends ChangingTools {
  @Tool({
    title: 'Merge',
    description: 'Merge a branch into the current one; conflicts are left to be resolved',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitMerge(input: GitMergeInput, context: RequestContext): Promise<Result> {
    return joinedResult(await gitMerge(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Rebase',
    description: 'Put the commits of the current branch on top of another; asks before it rewrites what is pushed or protected',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitRebase(input: GitRebaseInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitRebase(await this.repositoryFor(input, context), input, context), joinedResult);
  }

  @Tool({
    title: 'Cherry-pick',
    description: 'Apply commits to the current branch',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitCherryPick(input: GitCherryPickInput, context: RequestContext): Promise<Result> {
    return joinedResult(await gitCherryPick(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Revert',
    description: 'Take back commits by new ones',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitRevert(input: GitRevertInput, context: RequestContext): Promise<Result> {
    return joinedResult(await gitRevert(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Conflicts',
    description: 'List files in conflict, and how to continue',
    output: ConflictList,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitConflicts(input: GitConflictsInput, context: RequestContext): Promise<Result> {
    return conflictsResult(await gitConflicts(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Continue',
    description: 'Continue a merge, rebase, cherry-pick or revert whose conflicts are resolved and staged',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitContinue(input: GitContinueInput, context: RequestContext): Promise<Result> {
    return joinedResult(await gitContinue(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Abort',
    description: 'Abort the merge, rebase, cherry-pick or revert in progress; asks before resolved work is lost',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitAbort(input: GitAbortInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitAbort(await this.repositoryFor(input, context), input, context), joinedResult);
  }

  @Tool({
    title: 'Skip',
    description: 'Leave out the commit that a rebase, cherry-pick or revert stopped at; asks before resolved work is lost',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitSkip(input: GitSkipInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitSkip(await this.repositoryFor(input, context), input, context), joinedResult);
  }

  @Tool({
    title: 'Work trees',
    description: 'List the work trees of a repository',
    output: WorktreeList,
    annotations: READS,
    sets: ['read'],
  })
  async gitWorktreeList(input: GitWorktreeListInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeOf(context);
    return worktreesResult(await gitWorktreeList(await this.repositoryFor(input, context), input, roots));
  }

  @Tool({
    title: 'Add work tree',
    description: 'Check a branch or commit out in a new directory',
    output: AddedWorktree,
    annotations: ADDS,
    sets: ['write'],
  })
  async gitWorktreeAdd(input: GitWorktreeAddInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeOf(context);
    return addedWorktreeResult(await gitWorktreeAdd(await this.repositoryFor(input, context), input, roots));
  }

  @Tool({
    title: 'Remove work tree',
    description: 'Remove a work tree and its directory; asks before changes in it are lost',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitWorktreeRemove(input: GitWorktreeRemoveInput, context: RequestContext): Promise<Result> {
    const ground = { repositories: this.repositories, scope: await this.scopeOf(context), context };
    const outcome = await gitWorktreeRemove(await this.repositoryFor(input, context), input, ground);
    return confirmedResult(outcome, removedWorktreeResult);
  }

  @Tool({
    title: 'Prune work trees',
    description: 'Forget work trees whose directories are gone',
    output: PrunedWorktrees,
    annotations: SETS,
    sets: ['write'],
  })
  async gitWorktreePrune(input: GitWorktreePruneInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeOf(context);
    return prunedResult(await gitWorktreePrune(await this.repositoryFor(input, context), roots));
  }
}
