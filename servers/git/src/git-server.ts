import {
  App,
  Complete,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  type Candidates,
  type ResourceDefinition,
  type ResourceLister,
  type Result,
  type ToolOptions,
  type ToolSelection,
  type ToolSelector,
} from '@org/mcp-decorators';
import {
  LARGE_RESULTS,
  getUsableResultBytes,
  readView,
  type Diagnosis,
  type OperatorLog,
  type ServerObject,
} from '@org/mcp-host';

import { bisect, BisectArguments } from './features/prompts/bisect.ts';
import { commitMessage, CommitMessageArguments, STYLES } from './features/prompts/commit-message.ts';
import { explainCommit, ExplainCommitArguments } from './features/prompts/explain-commit.ts';
import { prDescription, PrDescriptionArguments } from './features/prompts/pr-description.ts';
import type { PromptMessage } from './features/prompts/prompt-message.ts';
import { releaseNotes, ReleaseNotesArguments } from './features/prompts/release-notes.ts';
import { resolveConflicts, ResolveConflictsArguments } from './features/prompts/resolve-conflicts.ts';
import { FOCUSES, reviewChanges, ReviewChangesArguments } from './features/prompts/review-changes.ts';
import { splitCommit, SplitCommitArguments } from './features/prompts/split-commit.ts';
import {
  completeAuthors,
  completeConflicts,
  completeCursors,
  completeNames,
  completePaths,
  completeRevisions,
} from './features/resources/complete-names.ts';
import { readAnswer, type Answer, type Contents } from './features/resources/contents.ts';
import { readBlobResource } from './features/resources/read-blob-resource.ts';
import { readCommit } from './features/resources/read-commit.ts';
import { readConflict } from './features/resources/read-conflict.ts';
import { DIFF, readCommitsDiff, readStagedDiff, readUnstagedDiff } from './features/resources/read-diff.ts';
import { readHead } from './features/resources/read-head.ts';
import { readLog } from './features/resources/read-log.ts';
import { readRefs } from './features/resources/read-refs.ts';
import { readStatus } from './features/resources/read-status.ts';
import { readTree } from './features/resources/read-tree.ts';
import {
  BlobUri,
  CommitUri,
  ConflictUri,
  DiffUri,
  LogUri,
  namedRevisions,
  RepositoryUri,
  STAGES,
  type UriVariables,
} from './features/resources/uris.ts';
import { RepositoryStates } from './features/repository-states.ts';
import type { GitOptions } from './git-options.ts';
import { GitRuntime } from './git-runtime.ts';
import type { CallScope, Repositories } from './repository/repositories.ts';
import type { Repository } from './repository/repository.ts';
import { BranchList, gitBranch, GitBranchInput } from './tools/branches/git-branch.ts';
import { gitCheckout, GitCheckoutInput, SwitchedBranch } from './tools/branches/git-checkout.ts';
import { BranchPosition, gitCreateBranch, GitCreateBranchInput } from './tools/branches/git-create-branch.ts';
import { gitDeleteBranch, GitDeleteBranchInput } from './tools/branches/git-delete-branch.ts';
import { gitRenameBranch, GitRenameBranchInput } from './tools/branches/git-rename-branch.ts';
import { gitAdd, GitAddInput, StagedFiles } from './tools/changes/git-add.ts';
import { AppliedPatch, gitApply, GitApplyInput } from './tools/changes/git-apply.ts';
import { gitDiscardHunks, GitDiscardHunksInput } from './tools/changes/git-discard-hunks.ts';
import { gitHunks, GitHunksInput } from './tools/changes/git-hunks.ts';
import { gitStageHunks, GitStageHunksInput, StagedHunks } from './tools/changes/git-stage-hunks.ts';
import { gitClean, GitCleanInput } from './tools/changes/git-clean.ts';
import { gitCommit, GitCommitInput } from './tools/changes/git-commit.ts';
import { gitMv, GitMvInput } from './tools/changes/git-mv.ts';
import { gitReset, GitResetInput } from './tools/changes/git-reset.ts';
import { gitRestore, GitRestoreInput } from './tools/changes/git-restore.ts';
import { gitRm, GitRmInput } from './tools/changes/git-rm.ts';
import { gitBlame, GitBlameInput } from './tools/history/git-blame.ts';
import { Comparison, gitCompare, GitCompareInput } from './tools/history/git-compare.ts';
import { CommitPage, gitLog, GitLogInput } from './tools/history/git-log.ts';
import { gitFormatPatch, GitFormatPatchInput } from './tools/history/git-format-patch.ts';
import { gitGraph, GitGraphInput } from './tools/history/git-graph.ts';
import { gitLineHistory, GitLineHistoryInput } from './tools/history/git-line-history.ts';
import { gitNotes, GitNotesInput } from './tools/history/git-notes.ts';
import { gitReflog, GitReflogInput, ReflogPage } from './tools/history/git-reflog.ts';
import { AuthorPage, gitShortlog, GitShortlogInput } from './tools/history/git-shortlog.ts';
import { gitShow, GitShowInput } from './tools/history/git-show.ts';
import { ListInput } from './tools/inputs/list-page.ts';
import type { RepositoryInput } from './tools/inputs/repository-input.ts';
import { BasedDiffInput, DiffInput } from './tools/inspect/diff-input.ts';
import { gitCatFile, GitCatFileInput } from './tools/inspect/git-cat-file.ts';
import { gitDiffStaged } from './tools/inspect/git-diff-staged.ts';
import { gitDiffUnstaged } from './tools/inspect/git-diff-unstaged.ts';
import { gitDiff, GitDiffInput } from './tools/inspect/git-diff.ts';
import { FoundLines, gitGrep, GitGrepInput } from './tools/inspect/git-grep.ts';
import { FileList, gitLsFiles, GitLsFilesInput } from './tools/inspect/git-ls-files.ts';
import { gitRevParse, GitRevParseInput, ResolvedRevision } from './tools/inspect/git-rev-parse.ts';
import { gitStatus, GitStatusInput, RepositoryStatus } from './tools/inspect/git-status.ts';
import { gitAbort, GitAbortInput } from './tools/integrate/git-abort.ts';
import { BisectProgress, gitBisect, GitBisectInput } from './tools/integrate/git-bisect.ts';
import { gitCherryPick, GitCherryPickInput } from './tools/integrate/git-cherry-pick.ts';
import { ConflictList, gitConflicts, GitConflictsInput } from './tools/integrate/git-conflicts.ts';
import { gitContinue, GitContinueInput } from './tools/integrate/git-continue.ts';
import { gitEditHistory, GitEditHistoryInput } from './tools/integrate/git-edit-history.ts';
import { gitMerge, GitMergeInput } from './tools/integrate/git-merge.ts';
import { gitRebase, GitRebaseInput } from './tools/integrate/git-rebase.ts';
import { gitRevert, GitRevertInput } from './tools/integrate/git-revert.ts';
import { gitSkip, GitSkipInput } from './tools/integrate/git-skip.ts';
import { FetchedRefs, gitFetch, GitFetchInput } from './tools/remotes/git-fetch.ts';
import { gitPull, GitPullInput } from './tools/remotes/git-pull.ts';
import { gitPush, GitPushInput } from './tools/remotes/git-push.ts';
import { gitRemoteAdd, GitRemoteAddInput } from './tools/remotes/git-remote-add.ts';
import { gitRemoteList, Remote, RemoteList } from './tools/remotes/git-remote-list.ts';
import { gitRemoteRemove, GitRemoteRemoveInput } from './tools/remotes/git-remote-remove.ts';
import { gitRemoteSetUrl, GitRemoteSetUrlInput } from './tools/remotes/git-remote-set-url.ts';
import { ClonedRepository, gitClone, GitCloneInput } from './tools/repositories/git-clone.ts';
import { gitInit, GitInitInput, MadeRepository } from './tools/repositories/git-init.ts';
import { gitListRepositories, GitListRepositoriesInput, RepositoryList } from './tools/repositories/git-list-repositories.ts';
import { gitStashApply, GitStashApplyInput } from './tools/stashes/git-stash-apply.ts';
import { gitStashDrop, GitStashDropInput } from './tools/stashes/git-stash-drop.ts';
import { gitStashList, StashList } from './tools/stashes/git-stash-list.ts';
import { gitStashPush, GitStashPushInput } from './tools/stashes/git-stash-push.ts';
import { gitTagCreate, GitTagCreateInput } from './tools/tags/git-tag-create.ts';
import { gitTagDelete, GitTagDeleteInput } from './tools/tags/git-tag-delete.ts';
import { gitTagList, GitTagListInput, TagList } from './tools/tags/git-tag-list.ts';
import { gitVerifyCommits, GitVerifyCommitsInput, VerifiedCommits } from './tools/history/git-verify-commits.ts';
import { gitTagVerify, GitTagVerifyInput, VerifiedTag } from './tools/tags/git-tag-verify.ts';
import { AddedWorktree, gitWorktreeAdd, GitWorktreeAddInput } from './tools/worktrees/git-worktree-add.ts';
import { gitWorktreeList, GitWorktreeListInput, WorktreeList } from './tools/worktrees/git-worktree-list.ts';
import { gitOverlap, GitOverlapInput, OverlapReport } from './tools/worktrees/git-overlap.ts';
import { gitSubmodules, GitSubmodulesInput, SubmoduleList } from './tools/worktrees/git-submodules.ts';
import { gitSubmoduleUpdate, GitSubmoduleUpdateInput, SubmoduleUpdate } from './tools/worktrees/git-submodule-update.ts';
import { gitSparseCheckout, GitSparseCheckoutInput } from './tools/worktrees/git-sparse-checkout.ts';
import { gitWorktreePrune, GitWorktreePruneInput, PrunedWorktrees } from './tools/worktrees/git-worktree-prune.ts';
import { gitWorktreeRemove, GitWorktreeRemoveInput } from './tools/worktrees/git-worktree-remove.ts';
import { VERSION } from './version.ts';

type ToolAnnotations = NonNullable<ToolOptions['annotations']>;

/** Annotations of a tool that changes nothing. */
const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Annotations of a tool that adds something to the repository with every call. */
const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
/** Annotations of a tool for which a second call with the same arguments changes nothing more. */
const SETS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Annotations of a tool that may remove or replace data, in most cases only after a confirmation. */
const LOSES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

/** Returns the annotations for a tool that connects to a remote. */
function remote(annotations: ToolAnnotations): ToolAnnotations {
  return { ...annotations, openWorldHint: true };
}

/** Timeout of a tool that connects to a remote: a large repository can take a long time over a slow connection. */
const HOUR_MS = 3_600_000;

const STATUS = 'git://{repo}/status';
const HEAD = 'git://{repo}/head';
const REFS = 'git://{repo}/refs';
const LOG = 'git://{repo}/log{?rev,cursor}';
const COMMIT = 'git://{repo}/commit/{rev}';
const TREE = 'git://{repo}/tree/{rev}/{+path}';
const BLOB = 'git://{repo}/blob/{rev}/{+path}';
const STAGED = 'git://{repo}/diff/staged';
const UNSTAGED = 'git://{repo}/diff/unstaged';
const COMMITS = 'git://{repo}/diff/{from}..{to}';
const CONFLICT = 'git://{repo}/conflict/{stage}/{+path}';

const JSON_TYPE = 'application/json';

/** URIs of the views, and the directory of their documents, which the build writes. */
const STATUS_VIEW = 'ui://mcp-git/status';
const DIFF_VIEW = 'ui://mcp-git/diff';
const GRAPH_VIEW = 'ui://mcp-git/graph';
const CONFLICTS_VIEW = 'ui://mcp-git/conflicts';
const LOSS_VIEW = 'ui://mcp-git/loss';
const VIEWS = new URL('../bundle/views/', import.meta.url);

type Messages = Promise<readonly PromptMessage[]>;
/** Values of the other arguments while one argument is being completed. */
type Arguments = Readonly<Record<string, string>>;

/**
 * Serves the git repositories inside the operator's directories or, without any, inside the client's roots.
 *
 * Subclass it to override or add a tool. An override needs no decorator; a new tool gets its repository from
 * `this.repositoryFor`.
 */
@McpServer({
  name: 'mcp-git',
  title: 'Git',
  version: VERSION,
  description:
    'Reads and changes git repositories inside the given directories; never executes programs that a repository configures, unless the operator allows it.',
  instructions:
    'repo_path may be omitted if there is only one repository. Paths are relative to the top of the repository and are never patterns. Truncated results explain how to continue. Operations that would lose data require confirmation: by the user, or with the confirm_token of a dry_run.',
})
export class GitServer implements ServerObject, ResourceLister, ToolSelector {
  /** The operator's options. A subclass with its own options class redeclares it: `declare protected readonly options: AcmeOptions`. */
  protected readonly options: GitOptions;
  /** Maximum number of bytes of the body or the items of a result. */
  readonly #maxBytes: number;
  #runtime: GitRuntime | undefined;

  constructor(options: GitOptions) {
    this.options = options;
    this.#maxBytes = getUsableResultBytes(options.maxBytes);
  }

  /** The operator's selection of tools. */
  get toolSelection(): ToolSelection {
    return this.options;
  }

  /** @throws UsageError if a directory cannot be used, or if the server runs over HTTP without directories */
  async open(log?: OperatorLog): Promise<void> {
    this.#runtime = await GitRuntime.open(this, this.options, log);
  }

  /** Closes the server. An override calls `super[Symbol.asyncDispose]()` last. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime?.[Symbol.asyncDispose]();
  }

  /** Reports the version of git and the state of each repository, for `check` and `server://info`. An override adds to the list. */
  diagnose(): Promise<readonly Diagnosis[]> {
    return this.#open.diagnose();
  }

  /** Watches a resource inside the operator's directories. The client's roots do not apply, because a subscription cannot request them. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.#runtime?.notifier.watch(uri, updated);
  }

  /**
   * Lists status, HEAD and refs of each repository in the operator's directories. After the first call, clients are notified when a
   * repository appears or disappears.
   */
  async listResources(): Promise<readonly ResourceDefinition[]> {
    return (await this.#runtime?.notifier.list()) ?? [];
  }

  /**
   * Opens the repository for a call.
   *
   * @throws ToolError the errors of `Repositories.open` and of `scopeFor`
   */
  protected async repositoryFor({ repo_path }: RepositoryInput, context: RequestContext): Promise<Repository> {
    return this.repositories.open(repo_path, { ...(await this.scopeFor(context)), maxBytes: this.#maxBytes });
  }

  /** The repositories inside the operator's directories. */
  protected get repositories(): Repositories {
    return this.#open.repositories;
  }

  /**
   * Returns the operator's directories, narrowed to what the client of a call allows. Without directories of the operator,
   * returns the directories that the client allows.
   *
   * On protocol version 2026-07-28, this method may suspend the call, which then runs again from its start with the client's
   * answer. A side effect before this method would therefore occur twice.
   *
   * @throws ToolError ROOTS_REQUIRED, NO_ANSWER, INVALID_ANSWER
   */
  protected async scopeFor(context: RequestContext): Promise<CallScope> {
    return { roots: await this.#open.callRoots.of(context), signal: context.signal };
  }

  /** Records and restores the repositories for the tools `checkpoint` and `rewind` of a server for files in the same process. */
  readonly repositoryStates: RepositoryStates = new RepositoryStates({
    repositories: () => this.repositories,
    scopeFor: (context) => this.scopeFor(context),
    isReadOnly: () => this.options.readOnly,
  });

  get #open(): GitRuntime {
    if (this.#runtime === undefined) throw new Error('the server is not open: await server.open()');
    return this.#runtime;
  }

  // Views

  @App({
    uri: STATUS_VIEW,
    title: 'Status',
    description: 'The changed files, to stage and unstage files and hunks',
    calls: ['git_status', 'git_hunks', 'git_stage_hunks', 'git_unstage_hunks', 'git_add', 'git_restore'],
  })
  statusView(): Promise<string> {
    return readView(VIEWS, 'status');
  }

  @App({
    uri: DIFF_VIEW,
    title: 'Diff',
    description: 'The diff of a commit, of a range or of the work tree',
    calls: ['git_diff_unstaged', 'git_diff_staged', 'git_diff', 'git_show'],
  })
  diffView(): Promise<string> {
    return readView(VIEWS, 'diff');
  }

  @App({
    uri: GRAPH_VIEW,
    title: 'Graph of commits',
    description: 'The graph of branches and tags, with the diffs of commits',
    calls: ['git_graph', 'git_show'],
  })
  graphView(): Promise<string> {
    return readView(VIEWS, 'graph');
  }

  @App({
    uri: CONFLICTS_VIEW,
    title: 'Conflicts',
    description: 'The sides of each conflict, to choose one of them',
    calls: ['git_conflicts', 'git_apply', 'git_add'],
  })
  conflictsView(): Promise<string> {
    return readView(VIEWS, 'conflicts');
  }

  @App({
    uri: LOSS_VIEW,
    title: 'Possible loss',
    description: 'The items that an operation would lose, with a button to confirm the operation',
    calls: ['git_diff'],
  })
  lossView(): Promise<string> {
    return readView(VIEWS, 'loss');
  }

  // Status and diffs

  @Tool({
    title: 'Status',
    description: 'Show the work tree status: branch, upstream and changed files',
    output: RepositoryStatus,
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { 'anthropic/alwaysLoad': true },
    app: STATUS_VIEW,
  })
  async gitStatus(input: GitStatusInput, context: RequestContext): Promise<Result> {
    return gitStatus(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Unstaged changes',
    description: 'Show unstaged changes (diff)',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: LARGE_RESULTS,
    app: DIFF_VIEW,
  })
  async gitDiffUnstaged(input: DiffInput, context: RequestContext): Promise<Result> {
    return gitDiffUnstaged(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Staged changes',
    description: 'Show staged changes (diff --cached)',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: LARGE_RESULTS,
    app: DIFF_VIEW,
  })
  async gitDiffStaged(input: BasedDiffInput, context: RequestContext): Promise<Result> {
    return gitDiffStaged(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Diff',
    description: 'Show the diff of the work tree against a branch or commit, or between two commits',
    annotations: READS,
    sets: ['default', 'read'],
    _meta: { ...LARGE_RESULTS, 'anthropic/alwaysLoad': true },
    app: DIFF_VIEW,
  })
  async gitDiff(input: GitDiffInput, context: RequestContext): Promise<Result> {
    return gitDiff(await this.repositoryFor(input, context), input, context);
  }

  // History

  @Tool({
    title: 'Log',
    description: 'Show the commit history (log), newest first',
    output: CommitPage,
    annotations: READS,
    sets: ['default', 'read', 'history'],
    _meta: LARGE_RESULTS,
    app: GRAPH_VIEW,
  })
  async gitLog(input: GitLogInput, context: RequestContext): Promise<Result> {
    return gitLog(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Show',
    description: 'Show a commit or tag with its message and diff, or a file or directory in it by path',
    annotations: READS,
    sets: ['default', 'read', 'history'],
    _meta: LARGE_RESULTS,
    app: DIFF_VIEW,
  })
  async gitShow(input: GitShowInput, context: RequestContext): Promise<Result> {
    return gitShow(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Blame',
    description: 'Show which commit last changed each line of a file (blame)',
    annotations: READS,
    sets: ['default', 'read', 'history'],
    _meta: LARGE_RESULTS,
  })
  async gitBlame(input: GitBlameInput, context: RequestContext): Promise<Result> {
    return gitBlame(await this.repositoryFor(input, context), input, context);
  }

  // Lists

  @Tool({
    title: 'Branches',
    description: 'List local or remote branches',
    output: BranchList,
    annotations: READS,
    sets: ['default', 'read'],
    app: GRAPH_VIEW,
  })
  async gitBranch(input: GitBranchInput, context: RequestContext): Promise<Result> {
    return gitBranch(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Repositories',
    description: 'List the repositories in the allowed directories',
    output: RepositoryList,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitListRepositories(input: GitListRepositoriesInput, context: RequestContext): Promise<Result> {
    const scope = { ...(await this.scopeFor(context)), maxBytes: this.#maxBytes };
    return gitListRepositories(this.repositories, input, scope);
  }

  // Search and objects

  @Tool({
    title: 'Search in files',
    description: 'Search file contents (grep) in the work tree or in a commit',
    output: FoundLines,
    annotations: READS,
    sets: ['read', 'history'],
    _meta: LARGE_RESULTS,
  })
  async gitGrep(input: GitGrepInput, context: RequestContext): Promise<Result> {
    return gitGrep(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Reflog',
    description: 'Show the reflog of HEAD or a branch, e.g. to recover lost commits',
    output: ReflogPage,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitReflog(input: GitReflogInput, context: RequestContext): Promise<Result> {
    return gitReflog(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Commit graph',
    description: 'Draw the graph of all branches and tags, or of given revisions, one line per commit (git log --graph --all)',
    annotations: READS,
    sets: ['read', 'history'],
    _meta: LARGE_RESULTS,
    app: GRAPH_VIEW,
  })
  async gitGraph(input: GitGraphInput, context: RequestContext): Promise<Result> {
    return gitGraph(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'History of lines',
    description: 'Show the commits that changed a range of lines of a file, with the patch of these lines (git log -L)',
    annotations: READS,
    sets: ['read', 'history'],
    _meta: LARGE_RESULTS,
  })
  async gitLineHistory(input: GitLineHistoryInput, context: RequestContext): Promise<Result> {
    return gitLineHistory(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Authors',
    description: 'Count commits by author (git shortlog)',
    output: AuthorPage,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitShortlog(input: GitShortlogInput, context: RequestContext): Promise<Result> {
    return gitShortlog(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'List files',
    description: 'List tracked, untracked, ignored or conflicting files, or the files of a commit',
    output: FileList,
    annotations: READS,
    sets: ['read', 'history'],
    _meta: LARGE_RESULTS,
  })
  async gitLsFiles(input: GitLsFilesInput, context: RequestContext): Promise<Result> {
    return gitLsFiles(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Object',
    description: 'Read a git object (blob, tree, commit or tag), or a part of it',
    annotations: READS,
    sets: ['read', 'history'],
    _meta: LARGE_RESULTS,
  })
  async gitCatFile(input: GitCatFileInput, context: RequestContext): Promise<Result> {
    return gitCatFile(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Resolve revision',
    description: 'Resolve a revision to its object hash and type',
    output: ResolvedRevision,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitRevParse(input: GitRevParseInput, context: RequestContext): Promise<Result> {
    return gitRevParse(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Compare',
    description: 'Compare two branches or commits: how far one is ahead and behind, and which commits only one has',
    output: Comparison,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitCompare(input: GitCompareInput, context: RequestContext): Promise<Result> {
    return gitCompare(await this.repositoryFor(input, context), input);
  }

  // Stashes

  @Tool({ title: 'Stashes', description: 'List stashes', output: StashList, annotations: READS, sets: ['default', 'read'] })
  async gitStashList(input: ListInput, context: RequestContext): Promise<Result> {
    return gitStashList(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Stash',
    description: 'Stash uncommitted changes and restore the files to HEAD',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitStashPush(input: GitStashPushInput, context: RequestContext): Promise<Result> {
    return gitStashPush(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Apply stash',
    description: 'Apply a stash to the work tree, or pop it',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitStashApply(input: GitStashApplyInput, context: RequestContext): Promise<Result> {
    return gitStashApply(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Drop stash',
    description: 'Delete (drop) a stash; requires confirmation',
    annotations: LOSES,
    sets: ['default', 'write'],
    app: LOSS_VIEW,
  })
  async gitStashDrop(input: GitStashDropInput, context: RequestContext): Promise<Result> {
    return gitStashDrop(await this.repositoryFor(input, context), input, context);
  }

  // Tags, signatures and notes

  @Tool({ title: 'Tags', description: 'List tags', output: TagList, annotations: READS, sets: ['read', 'history'] })
  async gitTagList(input: GitTagListInput, context: RequestContext): Promise<Result> {
    return gitTagList(await this.repositoryFor(input, context), input);
  }

  @Tool({ title: 'Create tag', description: 'Create a tag, optionally annotated or signed', annotations: ADDS, sets: ['write'] })
  async gitTagCreate(input: GitTagCreateInput, context: RequestContext): Promise<Result> {
    return gitTagCreate(await this.repositoryFor(input, context), input);
  }

  @Tool({ title: 'Delete tag', description: 'Delete a local tag; requires confirmation', annotations: LOSES, sets: ['write'] })
  async gitTagDelete(input: GitTagDeleteInput, context: RequestContext): Promise<Result> {
    return gitTagDelete(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Verify tag',
    description: "Verify the signature of a tag with the user's own keys",
    output: VerifiedTag,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitTagVerify(input: GitTagVerifyInput, context: RequestContext): Promise<Result> {
    return gitTagVerify(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Verify commits',
    description: "Verify the signatures of commits with the user's own keys",
    output: VerifiedCommits,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitVerifyCommits(input: GitVerifyCommitsInput, context: RequestContext): Promise<Result> {
    return gitVerifyCommits(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Notes',
    description: 'List, show, add or remove notes about commits (git notes); the commits do not change',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitNotes(input: GitNotesInput, context: RequestContext): Promise<Result> {
    return gitNotes(await this.repositoryFor(input, context), input);
  }

  // Staging and commits

  @Tool({
    title: 'Stage',
    description: 'Stage files for the next commit',
    output: StagedFiles,
    annotations: SETS,
    sets: ['default', 'write'],
    app: STATUS_VIEW,
  })
  async gitAdd(input: GitAddInput, context: RequestContext): Promise<Result> {
    return gitAdd(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Hunks',
    description:
      'List the hunks of unstaged or staged changes with their ids and numbered lines, to stage a part of a file (git add -p)',
    annotations: READS,
    sets: ['read', 'hunks'],
    _meta: LARGE_RESULTS,
    app: STATUS_VIEW,
  })
  async gitHunks(input: GitHunksInput, context: RequestContext): Promise<Result> {
    return gitHunks(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Stage hunks',
    description: 'Stage hunks or single lines of files by their ids from git_hunks; the files do not change',
    output: StagedHunks,
    annotations: ADDS,
    sets: ['write', 'hunks'],
    app: STATUS_VIEW,
  })
  async gitStageHunks(input: GitStageHunksInput, context: RequestContext): Promise<Result> {
    return gitStageHunks(await this.repositoryFor(input, context), input, 'unstaged');
  }

  @Tool({
    title: 'Unstage hunks',
    description: 'Unstage hunks or single lines by their ids from git_hunks with staged: true; the files do not change',
    output: StagedHunks,
    annotations: ADDS,
    sets: ['write', 'hunks'],
    app: STATUS_VIEW,
  })
  async gitUnstageHunks(input: GitStageHunksInput, context: RequestContext): Promise<Result> {
    return gitStageHunks(await this.repositoryFor(input, context), input, 'staged');
  }

  @Tool({
    title: 'Discard hunks',
    description:
      'Discard unstaged hunks or single lines of files by their ids from git_hunks; requires confirmation, keeps a backup',
    annotations: LOSES,
    sets: ['write', 'hunks'],
    app: LOSS_VIEW,
  })
  async gitDiscardHunks(input: GitDiscardHunksInput, context: RequestContext): Promise<Result> {
    return gitDiscardHunks(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Apply patch',
    description:
      'Apply a patch (unified diff) to the files of the work tree, and to the index if requested: all of it, or nothing',
    output: AppliedPatch,
    annotations: ADDS,
    sets: ['write', 'patches'],
  })
  async gitApply(input: GitApplyInput, context: RequestContext): Promise<Result> {
    return gitApply(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Format patches',
    description: 'Return commits as patches with messages and authors (format-patch); writes no files',
    annotations: READS,
    sets: ['read', 'patches'],
    _meta: LARGE_RESULTS,
  })
  async gitFormatPatch(input: GitFormatPatchInput, context: RequestContext): Promise<Result> {
    return gitFormatPatch(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Commit',
    description: 'Commit staged changes; hooks run only if the operator allows them',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitCommit(input: GitCommitInput, context: RequestContext): Promise<Result> {
    return gitCommit(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Reset',
    description: 'Unstage everything, or reset the branch to a commit; discarding changes requires confirmation',
    annotations: LOSES,
    sets: ['default', 'write'],
    app: LOSS_VIEW,
  })
  async gitReset(input: GitResetInput, context: RequestContext): Promise<Result> {
    return gitReset(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Restore',
    description: 'Discard changes: restore files from the index or a commit; requires confirmation',
    annotations: LOSES,
    sets: ['default', 'write'],
    app: LOSS_VIEW,
  })
  async gitRestore(input: GitRestoreInput, context: RequestContext): Promise<Result> {
    return gitRestore(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Clean',
    description: 'Delete untracked files; requires confirmation',
    annotations: LOSES,
    sets: ['write'],
    app: LOSS_VIEW,
  })
  async gitClean(input: GitCleanInput, context: RequestContext): Promise<Result> {
    return gitClean(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Remove',
    description: 'Remove files from the index and the work tree (git rm); losing changes requires confirmation',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitRm(input: GitRmInput, context: RequestContext): Promise<Result> {
    return gitRm(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Move',
    description: 'Move or rename a tracked file or directory; overwriting requires confirmation',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitMv(input: GitMvInput, context: RequestContext): Promise<Result> {
    return gitMv(await this.repositoryFor(input, context), input, context);
  }

  // Branches

  @Tool({
    title: 'Create branch',
    description: 'Create a branch without switching to it',
    output: BranchPosition,
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitCreateBranch(input: GitCreateBranchInput, context: RequestContext): Promise<Result> {
    return gitCreateBranch(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Switch branch',
    description: 'Switch to a local branch, or create one; fails if local changes would be lost',
    output: SwitchedBranch,
    annotations: SETS,
    sets: ['default', 'write'],
  })
  async gitCheckout(input: GitCheckoutInput, context: RequestContext): Promise<Result> {
    return gitCheckout(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Delete branch',
    description: 'Delete a local branch; losing commits requires confirmation',
    annotations: LOSES,
    sets: ['write'],
    app: LOSS_VIEW,
  })
  async gitDeleteBranch(input: GitDeleteBranchInput, context: RequestContext): Promise<Result> {
    return gitDeleteBranch(await this.repositoryFor(input, context), input, context);
  }

  @Tool({ title: 'Rename branch', description: 'Rename a local branch', annotations: ADDS, sets: ['write'] })
  async gitRenameBranch(input: GitRenameBranchInput, context: RequestContext): Promise<Result> {
    return gitRenameBranch(await this.repositoryFor(input, context), input);
  }

  // Merges, rebases, conflicts and bisects

  @Tool({
    title: 'Merge',
    description: 'Merge a branch into the current branch; conflicts are left in the files',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitMerge(input: GitMergeInput, context: RequestContext): Promise<Result> {
    return gitMerge(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Rebase',
    description: 'Rebase the current branch onto another; rewriting pushed or protected commits requires confirmation',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitRebase(input: GitRebaseInput, context: RequestContext): Promise<Result> {
    return gitRebase(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Cherry-pick',
    description: 'Apply commits to the current branch (cherry-pick)',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitCherryPick(input: GitCherryPickInput, context: RequestContext): Promise<Result> {
    return gitCherryPick(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Revert',
    description: 'Revert commits by creating new commits that undo them',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitRevert(input: GitRevertInput, context: RequestContext): Promise<Result> {
    return gitRevert(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Conflicts',
    description: 'List files in conflict, and the next steps',
    output: ConflictList,
    annotations: READS,
    sets: ['default', 'read'],
    app: CONFLICTS_VIEW,
  })
  async gitConflicts(input: GitConflictsInput, context: RequestContext): Promise<Result> {
    return gitConflicts(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Continue',
    description: 'Continue a merge, rebase, cherry-pick or revert after conflicts are resolved and staged',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitContinue(input: GitContinueInput, context: RequestContext): Promise<Result> {
    return gitContinue(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Abort',
    description:
      'Abort the merge, rebase, cherry-pick or revert in progress; losing manually resolved files requires confirmation',
    annotations: LOSES,
    sets: ['default', 'write'],
    app: LOSS_VIEW,
  })
  async gitAbort(input: GitAbortInput, context: RequestContext): Promise<Result> {
    return gitAbort(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Skip',
    description:
      'Skip the commit at which a rebase, cherry-pick or revert stopped; losing manually resolved files requires confirmation',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitSkip(input: GitSkipInput, context: RequestContext): Promise<Result> {
    return gitSkip(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Edit history',
    description:
      'Reword, reorder, squash, fix up or drop commits of the current branch by a plan (interactive rebase), or autosquash; dry_run shows the result',
    annotations: LOSES,
    sets: ['write', 'rewrite'],
  })
  async gitEditHistory(input: GitEditHistoryInput, context: RequestContext): Promise<Result> {
    return gitEditHistory(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Bisect',
    description: 'Find the commit that introduced a problem (bisect): checks out commits that you judge; never runs a command',
    output: BisectProgress,
    annotations: ADDS,
    sets: ['write', 'bisect'],
  })
  async gitBisect(input: GitBisectInput, context: RequestContext): Promise<Result> {
    return gitBisect(await this.repositoryFor(input, context), input);
  }

  // Work trees and submodules

  @Tool({
    title: 'Work trees',
    description: 'List the work trees of the repository',
    output: WorktreeList,
    annotations: READS,
    sets: ['read'],
  })
  async gitWorktreeList(input: GitWorktreeListInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeFor(context);
    return gitWorktreeList(await this.repositoryFor(input, context), input, roots);
  }

  @Tool({
    title: 'Overlapping work',
    description:
      'List other work trees and branches that change the same files, with changed lines and merge conflicts to expect',
    output: OverlapReport,
    annotations: READS,
    sets: ['read'],
  })
  async gitOverlap(input: GitOverlapInput, context: RequestContext): Promise<Result> {
    const call = { repositories: this.repositories, scope: await this.scopeFor(context), context };
    return gitOverlap(await this.repositoryFor(input, context), input, call);
  }

  @Tool({
    title: 'Submodules',
    description:
      'List submodules: recorded and checked-out commit, whether they differ, and uncommitted changes; uses no network',
    output: SubmoduleList,
    annotations: READS,
    sets: ['read'],
  })
  async gitSubmodules(input: GitSubmodulesInput, context: RequestContext): Promise<Result> {
    const call = { repositories: this.repositories, scope: await this.scopeFor(context) };
    return gitSubmodules(await this.repositoryFor(input, context), input, call);
  }

  @Tool({
    title: 'Update submodules',
    description:
      'Clone submodules that are not initialized, and check out the recorded commits; fails if local changes would be lost',
    output: SubmoduleUpdate,
    annotations: remote(SETS),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitSubmoduleUpdate(input: GitSubmoduleUpdateInput, context: RequestContext): Promise<Result> {
    const call = { repositories: this.repositories, scope: await this.scopeFor(context), context };
    return gitSubmoduleUpdate(await this.repositoryFor(input, context), input, call);
  }

  @Tool({
    title: 'Sparse checkout',
    description: 'Show or choose the directories that are checked out; changed and untracked files stay in the work tree',
    annotations: SETS,
    sets: ['write'],
  })
  async gitSparseCheckout(input: GitSparseCheckoutInput, context: RequestContext): Promise<Result> {
    return gitSparseCheckout(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Add work tree',
    description: 'Check out a branch or commit in a new directory (worktree)',
    output: AddedWorktree,
    annotations: ADDS,
    sets: ['write'],
  })
  async gitWorktreeAdd(input: GitWorktreeAddInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeFor(context);
    return gitWorktreeAdd(await this.repositoryFor(input, context), input, roots);
  }

  @Tool({
    title: 'Remove work tree',
    description: 'Remove a work tree and its directory; losing changes requires confirmation',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitWorktreeRemove(input: GitWorktreeRemoveInput, context: RequestContext): Promise<Result> {
    const call = { repositories: this.repositories, scope: await this.scopeFor(context), context };
    return gitWorktreeRemove(await this.repositoryFor(input, context), input, call);
  }

  @Tool({
    title: 'Prune work trees',
    description: 'Prune work trees whose directories no longer exist',
    output: PrunedWorktrees,
    annotations: SETS,
    sets: ['write'],
  })
  async gitWorktreePrune(input: GitWorktreePruneInput, context: RequestContext): Promise<Result> {
    const { roots } = await this.scopeFor(context);
    return gitWorktreePrune(await this.repositoryFor(input, context), roots);
  }

  // New repositories and remotes

  @Tool({
    title: 'Init',
    description: 'Create an empty repository',
    output: MadeRepository,
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitInit(input: GitInitInput, context: RequestContext): Promise<Result> {
    return gitInit(this.repositories, input, await this.scopeFor(context));
  }

  @Tool({
    title: 'Clone',
    description: 'Clone a remote repository into a new directory',
    output: ClonedRepository,
    annotations: remote(ADDS),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitClone(input: GitCloneInput, context: RequestContext): Promise<Result> {
    return gitClone(this.repositories, input, { scope: await this.scopeFor(context), context });
  }

  @Tool({
    title: 'Fetch',
    description: 'Download commits from a remote and update its remote-tracking branches',
    output: FetchedRefs,
    annotations: remote(SETS),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitFetch(input: GitFetchInput, context: RequestContext): Promise<Result> {
    return gitFetch(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Pull',
    description: 'Fetch a branch and fast-forward the current branch to it, or merge or rebase',
    annotations: remote(LOSES),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitPull(input: GitPullInput, context: RequestContext): Promise<Result> {
    return gitPull(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Push',
    description: 'Push a branch or tag; deletion and overwriting need confirmation',
    annotations: remote(LOSES),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitPush(input: GitPushInput, context: RequestContext): Promise<Result> {
    return gitPush(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Remotes',
    description: 'List remotes; passwords in URLs are not shown',
    output: RemoteList,
    annotations: READS,
    sets: ['remote'],
  })
  async gitRemoteList(input: ListInput, context: RequestContext): Promise<Result> {
    return gitRemoteList(await this.repositoryFor(input, context), input);
  }

  @Tool({ title: 'Add remote', description: 'Add a remote', output: Remote, annotations: ADDS, sets: ['remote'] })
  async gitRemoteAdd(input: GitRemoteAddInput, context: RequestContext): Promise<Result> {
    return gitRemoteAdd(await this.repositoryFor(input, context), input);
  }

  @Tool({
    title: 'Set remote URL',
    description: 'Set a remote URL; replacing it needs confirmation',
    annotations: LOSES,
    sets: ['remote'],
  })
  async gitRemoteSetUrl(input: GitRemoteSetUrlInput, context: RequestContext): Promise<Result> {
    return gitRemoteSetUrl(await this.repositoryFor(input, context), input, context);
  }

  @Tool({
    title: 'Remove remote',
    description: 'Remove a remote and its remote-tracking branches; requires confirmation',
    annotations: LOSES,
    sets: ['remote'],
  })
  async gitRemoteRemove(input: GitRemoteRemoveInput, context: RequestContext): Promise<Result> {
    return gitRemoteRemove(await this.repositoryFor(input, context), input, context);
  }

  // Resources

  @Resource({ uriTemplate: STATUS, title: 'Status', description: 'Branch, upstream and changed files', mimeType: JSON_TYPE })
  async status(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, readStatus);
  }

  @Resource({ uriTemplate: HEAD, title: 'HEAD', description: 'The current branch and its commit', mimeType: JSON_TYPE })
  async head(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, readHead);
  }

  @Resource({
    uriTemplate: REFS,
    title: 'Branches and tags',
    description: 'All branches and tags with their object names',
    mimeType: JSON_TYPE,
  })
  async refs(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, readRefs);
  }

  @Resource({
    uriTemplate: LOG,
    title: 'Log',
    description: 'At most 50 commits, newest first, and the cursor of the next page, if any',
    mimeType: JSON_TYPE,
  })
  async log(uri: LogUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readLog(repository, uri));
  }

  @Resource({ uriTemplate: COMMIT, title: 'Commit', description: 'Message, author and diff of a commit', mimeType: 'text/plain' })
  async commit(uri: CommitUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readCommit(repository, uri));
  }

  @Resource({
    uriTemplate: TREE,
    title: 'Directory in a commit',
    description: 'Entries of a directory in a commit',
    mimeType: JSON_TYPE,
  })
  async tree(uri: BlobUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readTree(repository, uri));
  }

  @Resource({ uriTemplate: BLOB, title: 'File in a commit', description: 'Content of a file in a branch, tag or commit' })
  async blob(uri: BlobUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readBlobResource(repository, uri));
  }

  @Resource({ uriTemplate: STAGED, title: 'Staged changes', description: 'Diff between HEAD and the index', mimeType: DIFF })
  async diffStaged(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, readStagedDiff);
  }

  @Resource({
    uriTemplate: UNSTAGED,
    title: 'Unstaged changes',
    description: 'Diff between the index and the work tree',
    mimeType: DIFF,
  })
  async diffUnstaged(uri: RepositoryUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, readUnstagedDiff);
  }

  @Resource({ uriTemplate: COMMITS, title: 'Diff', description: 'Diff between two commits', mimeType: DIFF })
  async diff(uri: DiffUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readCommitsDiff(repository, uri));
  }

  @Resource({
    uriTemplate: CONFLICT,
    title: 'Side of a conflict',
    description: 'One version of a file with a conflict: common ancestor, ours or theirs',
  })
  async conflict(uri: ConflictUri, context: RequestContext): Promise<Answer> {
    return this.#read(uri, context, (repository) => readConflict(repository, uri));
  }

  // Prompts

  @Prompt({ title: 'Commit message', description: 'Write the commit message for the staged changes' })
  async commitMessage(args: CommitMessageArguments, context: RequestContext): Messages {
    return commitMessage(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Review changes', description: 'Review uncommitted changes or the changes of a branch' })
  async reviewChanges(args: ReviewChangesArguments, context: RequestContext): Messages {
    return reviewChanges(await this.#promptRepository(args, context), args);
  }

  @Prompt({
    title: 'Pull request description',
    description: 'Describe the changes of a branch since its merge base with another branch (pull request description)',
  })
  async prDescription(args: PrDescriptionArguments, context: RequestContext): Messages {
    return prDescription(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Release notes', description: 'Write release notes from the commits since the last release' })
  async releaseNotes(args: ReleaseNotesArguments, context: RequestContext): Messages {
    return releaseNotes(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Explain commit', description: 'Explain what a commit does and why' })
  async explainCommit(args: ExplainCommitArguments, context: RequestContext): Messages {
    return explainCommit(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Resolve conflicts', description: 'Resolve the conflicts of a merge, rebase or cherry-pick' })
  async resolveConflicts(args: ResolveConflictsArguments, context: RequestContext): Messages {
    return resolveConflicts(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Bisect', description: 'Find the commit that introduced a problem' })
  async bisect(args: BisectArguments, context: RequestContext): Messages {
    return bisect(await this.#promptRepository(args, context), args);
  }

  @Prompt({ title: 'Split commit', description: 'Propose how to split a commit into several commits' })
  async splitCommit(args: SplitCommitArguments, context: RequestContext): Messages {
    return splitCommit(await this.#promptRepository(args, context), args);
  }

  // Completions of resource variables

  @Complete({ resource: STATUS, argument: 'repo' })
  @Complete({ resource: HEAD, argument: 'repo' })
  @Complete({ resource: REFS, argument: 'repo' })
  @Complete({ resource: LOG, argument: 'repo' })
  @Complete({ resource: COMMIT, argument: 'repo' })
  @Complete({ resource: TREE, argument: 'repo' })
  @Complete({ resource: BLOB, argument: 'repo' })
  @Complete({ resource: STAGED, argument: 'repo' })
  @Complete({ resource: UNSTAGED, argument: 'repo' })
  @Complete({ resource: COMMITS, argument: 'repo' })
  @Complete({ resource: CONFLICT, argument: 'repo' })
  async completeRepo(_: string, __: Arguments, context: RequestContext): Promise<Candidates> {
    return (await this.repositories.all(await this.scopeFor(context))).map(({ id }) => id);
  }

  @Complete({ resource: LOG, argument: 'rev' })
  @Complete({ resource: COMMIT, argument: 'rev' })
  @Complete({ resource: TREE, argument: 'rev' })
  @Complete({ resource: BLOB, argument: 'rev' })
  @Complete({ resource: COMMITS, argument: 'from' })
  @Complete({ resource: COMMITS, argument: 'to' })
  async completeRev(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeVariable(given, context, completeRevisions);
  }

  @Complete({ resource: BLOB, argument: 'path' })
  async completeFile(typed: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    const wanted = { revision: given['rev'] ?? 'HEAD', typed, kind: 'file' } as const;
    return this.#completeVariable(given, context, (repository) => completePaths(repository, wanted));
  }

  @Complete({ resource: TREE, argument: 'path' })
  async completeDirectory(typed: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    const wanted = { revision: given['rev'] ?? 'HEAD', typed, kind: 'directory' } as const;
    return this.#completeVariable(given, context, (repository) => completePaths(repository, wanted));
  }

  @Complete({ resource: CONFLICT, argument: 'path' })
  async completeConflict(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeVariable(given, context, completeConflicts);
  }

  @Complete({ resource: CONFLICT, argument: 'stage' })
  completeStage(): Candidates {
    return STAGES;
  }

  @Complete({ resource: LOG, argument: 'cursor' })
  async completeCursor(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeVariable(given, context, (repository) => completeCursors(repository, given['rev']));
  }

  // Completions of prompt arguments

  @Complete({ prompt: 'commit_message', argument: 'repo_path' })
  @Complete({ prompt: 'review_changes', argument: 'repo_path' })
  @Complete({ prompt: 'pr_description', argument: 'repo_path' })
  @Complete({ prompt: 'release_notes', argument: 'repo_path' })
  @Complete({ prompt: 'explain_commit', argument: 'repo_path' })
  @Complete({ prompt: 'resolve_conflicts', argument: 'repo_path' })
  @Complete({ prompt: 'bisect', argument: 'repo_path' })
  @Complete({ prompt: 'split_commit', argument: 'repo_path' })
  async completeRepoPath(_: string, __: Arguments, context: RequestContext): Promise<Candidates> {
    return this.repositories.findCandidates((await this.scopeFor(context)).roots);
  }

  @Complete({ prompt: 'review_changes', argument: 'base' })
  @Complete({ prompt: 'pr_description', argument: 'base' })
  @Complete({ prompt: 'pr_description', argument: 'head' })
  @Complete({ prompt: 'release_notes', argument: 'from' })
  @Complete({ prompt: 'release_notes', argument: 'to' })
  @Complete({ prompt: 'explain_commit', argument: 'commit' })
  @Complete({ prompt: 'split_commit', argument: 'commit' })
  @Complete({ prompt: 'bisect', argument: 'good' })
  @Complete({ prompt: 'bisect', argument: 'bad' })
  async completeRevision(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeArgument(given, context, completeRevisions);
  }

  @Complete({ prompt: 'release_notes', argument: 'author' })
  async completeAuthor(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeArgument(given, context, completeAuthors);
  }

  @Complete({ prompt: 'resolve_conflicts', argument: 'path' })
  async completeConflicted(_: string, given: Arguments, context: RequestContext): Promise<Candidates> {
    return this.#completeArgument(given, context, completeConflicts);
  }

  @Complete({ prompt: 'commit_message', argument: 'style' })
  completeStyle(): Candidates {
    return STYLES;
  }

  @Complete({ prompt: 'review_changes', argument: 'focus' })
  completeFocus(): Candidates {
    return FOCUSES;
  }

  async #read(uri: UriVariables, context: RequestContext, read: (repository: Repository) => Promise<Contents>): Promise<Answer> {
    const repository = await this.repositories.byId(uri.repo, await this.scopeFor(context));
    return readAnswer(() => read(repository), namedRevisions(uri));
  }

  async #completeVariable(
    { repo = '' }: Arguments,
    context: RequestContext,
    candidates: (repository: Repository) => Promise<Candidates>,
  ): Promise<Candidates> {
    return completeNames(async () => candidates(await this.repositories.byId(repo, await this.scopeFor(context))));
  }

  /** Opens the repository for a prompt, with the byte limit for resources (`maxResourceBytes`). */
  async #promptRepository({ repo_path }: RepositoryInput, context: RequestContext): Promise<Repository> {
    return this.repositories.open(repo_path, await this.scopeFor(context));
  }

  async #completeArgument(
    { repo_path }: Arguments,
    context: RequestContext,
    candidates: (repository: Repository) => Promise<Candidates>,
  ): Promise<Candidates> {
    const input = repo_path === undefined ? {} : { repo_path };
    return completeNames(async () => candidates(await this.repositoryFor(input, context)));
  }
}
