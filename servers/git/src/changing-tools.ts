import { confirmedResult, RequestContext, type Result, Tool } from '@org/mcp-decorators';

import { ADDS, LOSES, SETS } from './hints.ts';
import { KeepingTools } from './keeping-tools.ts';
import { gitAdd, GitAddInput, StagedFiles } from './operations/git-add.ts';
import { gitCheckout, GitCheckoutInput, SwitchedBranch } from './operations/git-checkout.ts';
import { gitClean, GitCleanInput } from './operations/git-clean.ts';
import { gitCommit, GitCommitInput } from './operations/git-commit.ts';
import { BranchPosition, gitCreateBranch, GitCreateBranchInput } from './operations/git-create-branch.ts';
import { gitDeleteBranch, GitDeleteBranchInput } from './operations/git-delete-branch.ts';
import { gitMv, GitMvInput } from './operations/git-mv.ts';
import { gitRenameBranch, GitRenameBranchInput } from './operations/git-rename-branch.ts';
import { gitReset, GitResetInput } from './operations/git-reset.ts';
import { gitRestore, GitRestoreInput } from './operations/git-restore.ts';
import { gitRm, GitRmInput } from './operations/git-rm.ts';
import {
  branchDeletedResult,
  cleanedResult,
  commitResult,
  createdResult,
  movedResult,
  removedResult,
  renamedResult,
  resetResult,
  restoredResult,
  stagedResult,
  switchedResult,
} from './results/changing-results.ts';

/** Tools that stage, commit, and move branches and the work tree. */
export abstract class ChangingTools extends KeepingTools {
  @Tool({
    title: 'Stage',
    description: 'Stage files for the next commit',
    output: StagedFiles,
    annotations: SETS,
    sets: ['default', 'write'],
  })
  async gitAdd(input: GitAddInput, context: RequestContext): Promise<Result> {
    return stagedResult(await gitAdd(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Commit',
    description: 'Commit what is staged; hooks do not run unless the operator allows it',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitCommit(await this.repositoryFor(input, context), input, context), commitResult);
  }

  @Tool({
    title: 'Reset',
    description: 'Unstage everything, or set the branch to a commit; discarding changes has to be confirmed',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitReset(input: GitResetInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitReset(await this.repositoryFor(input, context), input, context), resetResult);
  }

  @Tool({
    title: 'Restore',
    description: 'Discard changes of files: restore them from the index or a commit; has to be confirmed',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitRestore(input: GitRestoreInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitRestore(await this.repositoryFor(input, context), input, context), restoredResult);
  }

  @Tool({
    title: 'Clean',
    description: 'Delete files that are not tracked; has to be confirmed',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitClean(input: GitCleanInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitClean(await this.repositoryFor(input, context), input, context), cleanedResult);
  }

  @Tool({
    title: 'Remove',
    description: 'Stop tracking files, and delete them; losing changes has to be confirmed',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitRm(input: GitRmInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitRm(await this.repositoryFor(input, context), input, context), removedResult);
  }

  @Tool({
    title: 'Move',
    description: 'Rename a tracked file or directory; replacing another has to be confirmed',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitMv(input: GitMvInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitMv(await this.repositoryFor(input, context), input, context), movedResult);
  }

  @Tool({
    title: 'Create branch',
    description: 'Create a branch without switching to it',
    output: BranchPosition,
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitCreateBranch(input: GitCreateBranchInput, context: RequestContext): Promise<Result> {
    return createdResult(await gitCreateBranch(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Switch branch',
    description: 'Switch to a local branch, new or not; fails where changes would be lost',
    output: SwitchedBranch,
    annotations: SETS,
    sets: ['default', 'write'],
  })
  async gitCheckout(input: GitCheckoutInput, context: RequestContext): Promise<Result> {
    return switchedResult(await gitCheckout(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Delete branch',
    description: 'Delete a local branch; losing commits has to be confirmed',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitDeleteBranch(input: GitDeleteBranchInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitDeleteBranch(await this.repositoryFor(input, context), input, context), branchDeletedResult);
  }

  @Tool({
    title: 'Rename branch',
    description: 'Give a local branch another name',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitRenameBranch(input: GitRenameBranchInput, context: RequestContext): Promise<Result> {
    return renamedResult(await gitRenameBranch(await this.repositoryFor(input, context), input));
  }
}
