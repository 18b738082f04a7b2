import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { ADDS, SETS } from './hints.ts';
import { HistoryTools } from './history-tools.ts';
import { gitAdd, GitAddInput, StagedFiles } from './operations/git-add.ts';
import { gitCheckout, GitCheckoutInput, SwitchedBranch } from './operations/git-checkout.ts';
import { gitCommit, GitCommitInput, NewCommit } from './operations/git-commit.ts';
import { BranchPosition, gitCreateBranch, GitCreateBranchInput } from './operations/git-create-branch.ts';
import { commitResult, createdResult, stagedResult, switchedResult } from './results/changing-results.ts';

/** Tools that stage, commit, and move branches and the work tree. */
export abstract class ChangingTools extends HistoryTools {
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
    description: 'Commit what is staged; hooks do not run',
    output: NewCommit,
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    return commitResult(await gitCommit(await this.repositoryFor(input, context), input));
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
    description: 'Switch to a local branch; fails where changes would be lost',
    output: SwitchedBranch,
    annotations: SETS,
    sets: ['default', 'write'],
  })
  async gitCheckout(input: GitCheckoutInput, context: RequestContext): Promise<Result> {
    return switchedResult(await gitCheckout(await this.repositoryFor(input, context), input));
  }
}
