import { openCursor, RequestContext, sealCursor, Tool, type Result } from '@org/mcp-decorators';
import { LARGE_RESULTS, roomInResult } from '@org/mcp-host';

import { GitGround } from './git-ground.ts';
import { READS } from './hints.ts';
import { BasedDiffInput, DiffInput } from './operations/diff-input.ts';
import { BranchList, gitBranch, GitBranchInput } from './operations/git-branch.ts';
import { gitBlame, GitBlameInput } from './operations/git-blame.ts';
import { gitDiff, GitDiffInput } from './operations/git-diff.ts';
import { gitDiffStaged } from './operations/git-diff-staged.ts';
import { gitDiffUnstaged } from './operations/git-diff-unstaged.ts';
import { gitListRepositories, GitListRepositoriesInput, RepositoryList } from './operations/git-list-repositories.ts';
import { CommitPage, gitLog, GitLogInput } from './operations/git-log.ts';
import { gitShow, GitShowInput, type Shown } from './operations/git-show.ts';
import { gitStatus, GitStatusInput, RepositoryStatus } from './operations/git-status.ts';
import { diffResult } from './results/diff-results.ts';
import { blameResult, branchesResult, logResult, repositoriesResult, statusResult } from './results/reading-results.ts';
import { shownResult } from './results/show-results.ts';

/** Tools that show what a repository and its work tree hold now. */
export abstract class ReadingTools extends GitGround {
  @Tool({
    title: 'Status',
    description: 'Show the branch, its upstream and changed files',
    output: RepositoryStatus,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/alwaysLoad': true },
  })
  async gitStatus(input: GitStatusInput, context: RequestContext): Promise<Result> {
    return statusResult(await gitStatus(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Unstaged changes',
    description: 'Diff of changes that are not staged',
    _meta: LARGE_RESULTS,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitDiffUnstaged(input: DiffInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const diff = await gitDiffUnstaged(repository, await openCursor(input, context));
    return diffResult(repository.id, await sealCursor(diff, context), 'No unstaged changes');
  }

  @Tool({
    title: 'Staged changes',
    description: 'Diff of changes that are staged for the next commit',
    _meta: LARGE_RESULTS,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitDiffStaged(input: BasedDiffInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const diff = await gitDiffStaged(repository, await openCursor(input, context));
    return diffResult(repository.id, await sealCursor(diff, context), 'No staged changes');
  }

  @Tool({
    title: 'Diff',
    description: 'Diff of the work tree to a branch or commit, or between two',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
  })
  async gitDiff(input: GitDiffInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const diff = await gitDiff(repository, await openCursor(input, context));
    return diffResult(repository.id, await sealCursor(diff, context), 'No differences');
  }

  @Tool({
    title: 'Log',
    description: 'List commits, newest first',
    _meta: LARGE_RESULTS,
    output: CommitPage,
    annotations: READS,
    sets: ['default', 'read', 'history'],
  })
  async gitLog(input: GitLogInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const page = await gitLog(repository, await openCursor(input, context), context);
    return logResult(await sealCursor(page, context));
  }

  @Tool({
    title: 'Show',
    description: 'A commit or tag with its message and diff; a file or directory of it by path',
    _meta: LARGE_RESULTS,
    annotations: READS,
    sets: ['default', 'read', 'history'],
  })
  async gitShow(input: GitShowInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    const shown = await gitShow(repository, await openCursor(input, context));
    return shownResult(repository.id, await sealShown(shown, context));
  }

  @Tool({
    title: 'Blame',
    description: 'Show which commit last changed each line of a file',
    _meta: LARGE_RESULTS,
    annotations: READS,
    sets: ['default', 'read', 'history'],
  })
  async gitBlame(input: GitBlameInput, context: RequestContext): Promise<Result> {
    const repository = await this.repositoryFor(input, context);
    return blameResult(await gitBlame(repository, input, context), repository.limits.maxBytes);
  }

  @Tool({
    title: 'Branches',
    description: 'List branches, local or remote',
    output: BranchList,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitBranch(input: GitBranchInput, context: RequestContext): Promise<Result> {
    return branchesResult(await gitBranch(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Repositories',
    description: 'List the repositories in the allowed directories',
    output: RepositoryList,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitListRepositories(input: GitListRepositoriesInput, context: RequestContext): Promise<Result> {
    const scope = { ...(await this.scopeOf(context)), maxBytes: roomInResult(this.options.maxBytes) };
    return repositoriesResult(await gitListRepositories(this.repositories, input, scope));
  }
}

async function sealShown(shown: Shown, context: RequestContext): Promise<Shown> {
  if (shown.type === 'commit') return { ...shown, diff: await sealCursor(shown.diff, context) };
  return sealCursor(shown, context);
}
