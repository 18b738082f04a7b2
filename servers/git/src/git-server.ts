import { Complete, McpServer, RequestContext, Resource, Tool, type Result } from '@org/mcp-decorators';
import {
  clientRootsOf,
  requireDirectories,
  toldTo,
  UsageError,
  withoutDirectories,
  type Diagnosis,
  type OperatorLog,
  type ServerObject,
} from '@org/mcp-host';
import { RootError, Roots } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import { diagnose } from './diagnose.ts';
import type { GitOptions } from './git-options.ts';
import { pathCandidates, revisionCandidates } from './operations/complete-names.ts';
import { DiffInput } from './operations/diff-input.ts';
import { gitAdd, GitAddInput, StagedFiles } from './operations/git-add.ts';
import { Blame, gitBlame, GitBlameInput } from './operations/git-blame.ts';
import { BranchList, gitBranch, GitBranchInput } from './operations/git-branch.ts';
import { gitCheckout, GitCheckoutInput, SwitchedBranch } from './operations/git-checkout.ts';
import { gitCommit, GitCommitInput, NewCommit } from './operations/git-commit.ts';
import { BranchPosition, gitCreateBranch, GitCreateBranchInput } from './operations/git-create-branch.ts';
import { gitDiff, GitDiffInput } from './operations/git-diff.ts';
import { gitDiffStaged } from './operations/git-diff-staged.ts';
import { gitDiffUnstaged } from './operations/git-diff-unstaged.ts';
import { CommitPage, gitLog, GitLogInput } from './operations/git-log.ts';
import { gitShow, GitShowInput } from './operations/git-show.ts';
import { gitStatus, GitStatusInput, RepositoryStatus } from './operations/git-status.ts';
import { BlobUri, readBlobResource, RepositoryUri } from './operations/read-blob-resource.ts';
import { RepositoryInput } from './operations/repository-input.ts';
import { Repositories, type CallScope } from './repository/repositories.ts';
import type { Repository } from './repository/repository.ts';
import {
  blameResult,
  bodyResult,
  branchesResult,
  commitResult,
  createdResult,
  logResult,
  stagedResult,
  statusResult,
  switchedResult,
} from './results.ts';
import { statusSubject } from './status-subject.ts';
import { VERSION } from './version.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const SETS = { ...ADDS, idempotentHint: true } as const;

const BLOB = 'git://{repo}/blob/{rev}/{+path}';
const STATUS = 'git://{repo}/status';

/** Git repositories inside the operator's directories. Subclass it to change a tool, or to add one on `this.repositoryFor`. */
@McpServer({
  name: 'mcp-git',
  title: 'Git',
  version: VERSION,
  description: 'Reads and extends the history of git repositories inside the given directories; nothing of theirs is executed.',
  instructions:
    'repo_path may be left out where there is one repository. Paths are names relative to its top, never patterns. Results that were cut say so. Hooks do not run.',
})
export class GitServer implements ServerObject {
  protected readonly options: GitOptions;
  #hub: WatchHub | undefined;
  #roots: Roots | undefined;
  #repositories: Repositories | undefined;

  constructor(options: GitOptions) {
    this.options = options;
  }

  /** The repository that an input names, if the roots hold it, for the time of the call. */
  protected async repositoryFor({ repo_path }: RepositoryInput, context: RequestContext): Promise<Repository> {
    return this.repositories.open(repo_path, await this.scopeOf(context));
  }

  /** The repositories inside the roots; there once the server is open. */
  protected get repositories(): Repositories {
    if (this.#repositories === undefined) throw new Error('the server is not open: await server.open()');
    return this.#repositories;
  }

  /** What a call may use: the operator's directories, narrowed to what its client allows. */
  protected async scopeOf(context: RequestContext): Promise<CallScope> {
    const uris = await clientRootsOf(context, this.options, this.#opened.directories);
    return { roots: await this.#opened.narrowedTo(uris), signal: context.signal };
  }

  /** Holds the directories. Throws a `UsageError` for one that cannot be used, and for none at all over HTTP; one that is missing may come later. */
  async open(log?: OperatorLog): Promise<void> {
    try {
      this.#roots = await Roots.open(this.options.directories);
    } catch (error) {
      throw error instanceof RootError ? new UsageError(error.message, { cause: error }) : error;
    }
    const { directories } = this.#roots;
    const isListed = (top: string): boolean => directories.some(({ realPath }) => realPath === top);
    requireDirectories(this.options, directories);
    if (directories.length === 0) log?.info(withoutDirectories(this.options).detail);
    for (const root of directories)
      if ((await root.state()) === 'unavailable')
        log?.warning(`the directory ${root.path} is not there; it is used as soon as it is`);
    const { trust, maxWatches } = this.options;
    this.#hub = new WatchHub({ maxWatches, ...(log && { onError: toldTo(log) }) });
    this.#repositories = new Repositories(this.options, (top) => trust === 'all' || (trust === 'listed' && isListed(top)));
  }

  /** Subscriptions cannot ask the client for its roots: they are bounded by the operator's directories. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const subject = await statusSubject(this.repositories, this.#opened, uri);
    return subject && this.#hub?.watch(subject, updated);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hub?.[Symbol.asyncDispose]();
    await this.#roots?.[Symbol.asyncDispose]();
  }

  diagnose(): Promise<readonly Diagnosis[]> {
    return diagnose(this.repositories, this.#opened, this.options);
  }

  @Tool({ title: 'Status', description: 'Branch, upstream and changed files', output: RepositoryStatus, annotations: READS })
  async gitStatus(input: GitStatusInput, context: RequestContext): Promise<Result> {
    return statusResult(await gitStatus(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Log', description: 'Commits, newest first, page by page', output: CommitPage, annotations: READS })
  async gitLog(input: GitLogInput, context: RequestContext): Promise<Result> {
    return logResult(await gitLog(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Unstaged changes', description: 'Diff of changes that are not staged', annotations: READS })
  async gitDiffUnstaged(input: DiffInput, context: RequestContext): Promise<Result> {
    return bodyResult(await gitDiffUnstaged(await this.repositoryFor(input, context), input), 'No unstaged changes');
  }

  @Tool({ title: 'Staged changes', description: 'Diff of changes that are staged for the next commit', annotations: READS })
  async gitDiffStaged(input: DiffInput, context: RequestContext): Promise<Result> {
    return bodyResult(await gitDiffStaged(await this.repositoryFor(input, context), input), 'No staged changes');
  }

  @Tool({ title: 'Diff', description: 'Diff of the work tree to a branch or commit, or between two', annotations: READS })
  async gitDiff(input: GitDiffInput, context: RequestContext): Promise<Result> {
    return bodyResult(await gitDiff(await this.repositoryFor(input, context), input), 'No differences');
  }

  @Tool({ title: 'Show commit', description: 'A commit: message, author and diff', annotations: READS })
  async gitShow(input: GitShowInput, context: RequestContext): Promise<Result> {
    return bodyResult(await gitShow(await this.repositoryFor(input, context), input), 'Nothing to show');
  }

  @Tool({ title: 'Stage', description: 'Stage files for the next commit', output: StagedFiles, annotations: SETS })
  async gitAdd(input: GitAddInput, context: RequestContext): Promise<Result> {
    return stagedResult(await gitAdd(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Commit', description: 'Commit what is staged; hooks do not run', output: NewCommit, annotations: ADDS })
  async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    return commitResult(await gitCommit(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Branches', description: 'List branches, local or remote', output: BranchList, annotations: READS })
  async gitBranch(input: GitBranchInput, context: RequestContext): Promise<Result> {
    return branchesResult(await gitBranch(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Create branch',
    description: 'Create a branch without switching to it',
    output: BranchPosition,
    annotations: ADDS,
  })
  async gitCreateBranch(input: GitCreateBranchInput, context: RequestContext): Promise<Result> {
    return createdResult(await gitCreateBranch(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Switch branch',
    description: 'Switch to a local branch; fails where changes would be lost',
    output: SwitchedBranch,
    annotations: SETS,
  })
  async gitCheckout(input: GitCheckoutInput, context: RequestContext): Promise<Result> {
    return switchedResult(await gitCheckout(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Blame', description: 'Which commit wrote each line of a file', output: Blame, annotations: READS })
  async gitBlame(input: GitBlameInput, context: RequestContext): Promise<Result> {
    return blameResult(await gitBlame(await this.repositoryFor(input, context), input, context), this.options.maxBytes);
  }

  @Resource({
    uriTemplate: BLOB,
    name: 'blob',
    title: 'File in a commit',
    description: 'A file as a branch, tag or commit has it',
  })
  async blob(uri: BlobUri, context: RequestContext): Promise<string | Uint8Array> {
    return readBlobResource(await this.repositories.byId(uri.repo, await this.scopeOf(context)), uri);
  }

  @Resource({ uriTemplate: STATUS, name: 'status', title: 'Status', description: 'Branch, upstream and changed files' })
  async status({ repo }: RepositoryUri, context: RequestContext): Promise<RepositoryStatus> {
    return gitStatus(await this.repositories.byId(repo, await this.scopeOf(context)));
  }

  @Complete({ resource: STATUS, argument: 'repo' })
  @Complete({ resource: BLOB, argument: 'repo' })
  async completeRepo(_value: string, _given: Given, context: RequestContext): Promise<readonly string[]> {
    return (await this.repositories.all(await this.scopeOf(context))).map(({ id }) => id);
  }

  @Complete({ resource: BLOB, argument: 'rev' })
  async completeRev(_value: string, { repo = '' }: Given, context: RequestContext): Promise<readonly string[]> {
    return revisionCandidates(await this.repositories.byId(repo, await this.scopeOf(context)));
  }

  @Complete({ resource: BLOB, argument: 'path' })
  async completePath(_value: string, { repo = '', rev = 'HEAD' }: Given, context: RequestContext): Promise<readonly string[]> {
    return pathCandidates(await this.repositories.byId(repo, await this.scopeOf(context)), rev);
  }

  get #opened(): Roots {
    if (this.#roots === undefined) throw new Error('the server is not open: await server.open()');
    return this.#roots;
  }
}

type Given = Readonly<Record<string, string>>;
