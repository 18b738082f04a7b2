export { ConfirmInput } from './tools/confirm/confirm-input.ts';
export { GitServer } from './git-server.ts';
export { BasedDiffInput, DiffInput } from './tools/inspect/diff-input.ts';
export { GitAbortInput } from './tools/integrate/git-abort.ts';
export { GitAddInput, SkippedFile, StagedFiles } from './tools/changes/git-add.ts';
export { GitBlameInput, type Blame, type BlameHunk } from './tools/history/git-blame.ts';
export { Branch, BranchList, GitBranchInput } from './tools/branches/git-branch.ts';
export { GitCatFileInput } from './tools/inspect/git-cat-file.ts';
export { GitCheckoutInput, SwitchedBranch } from './tools/branches/git-checkout.ts';
export { GitCherryPickInput } from './tools/integrate/git-cherry-pick.ts';
export { GitCleanInput, type CleanOutcome } from './tools/changes/git-clean.ts';
export { ClonedRepository, GitCloneInput } from './tools/repositories/git-clone.ts';
export { GitCommitInput, type NewCommit } from './tools/changes/git-commit.ts';
export { ComparedCommit, Comparison, GitCompareInput } from './tools/history/git-compare.ts';
export {
  ConflictFile,
  ConflictList,
  ConflictStage,
  GitConflictsInput,
  MarkedRange,
  type ViewedConflict,
} from './tools/integrate/git-conflicts.ts';
export { GitContinueInput } from './tools/integrate/git-continue.ts';
export { BranchPosition, GitCreateBranchInput } from './tools/branches/git-create-branch.ts';
export { GitDeleteBranchInput, type DeletedBranch } from './tools/branches/git-delete-branch.ts';
export { GitDiffInput } from './tools/inspect/git-diff.ts';
export { FetchedRefs, GitFetchInput, RemoteInput, UpdatedRef } from './tools/remotes/git-fetch.ts';
export { FoundFile, FoundLine, FoundLines, GitGrepInput } from './tools/inspect/git-grep.ts';
export { AppliedPatch, GitApplyInput, PatchedFileCount } from './tools/changes/git-apply.ts';
export { GitFormatPatchInput, type PatchPage } from './tools/history/git-format-patch.ts';
export { BisectProgress, GitBisectInput } from './tools/integrate/git-bisect.ts';
export { GitEditHistoryInput, HistoryStep } from './tools/integrate/git-edit-history.ts';
export { GitHunksInput, type HunkPage, type ViewedHunk } from './tools/changes/git-hunks.ts';
export { GitDiscardHunksInput, type DiscardedHunks } from './tools/changes/git-discard-hunks.ts';
export { GitStageHunksInput, StagedHunks } from './tools/changes/git-stage-hunks.ts';
export { ChangedHunks } from './tools/changes/selected-hunks.ts';
export { GitInitInput, MadeRepository } from './tools/repositories/git-init.ts';
export { GitListRepositoriesInput, ListedRepository, RepositoryList } from './tools/repositories/git-list-repositories.ts';
export { Commit, CommitPage, CommitSize, GitLogInput } from './tools/history/git-log.ts';
export { FileList, GitLsFilesInput } from './tools/inspect/git-ls-files.ts';
export { GitMergeInput } from './tools/integrate/git-merge.ts';
export { GitMvInput, type MovedFile } from './tools/changes/git-mv.ts';
export { GitPullInput, type PulledCommits } from './tools/remotes/git-pull.ts';
export { GitPushInput, type PushedRef, type PushedRefs } from './tools/remotes/git-push.ts';
export { GitRebaseInput } from './tools/integrate/git-rebase.ts';
export { GitGraphInput, type CommitGraph, type ViewedCommit } from './tools/history/git-graph.ts';
export { GitLineHistoryInput, type LineHistory } from './tools/history/git-line-history.ts';
export { AuthorCount, AuthorPage, GitShortlogInput } from './tools/history/git-shortlog.ts';
export { GitReflogInput, ReflogEntry, ReflogPage } from './tools/history/git-reflog.ts';
export { GitRemoteAddInput } from './tools/remotes/git-remote-add.ts';
export { Remote, RemoteList } from './tools/remotes/git-remote-list.ts';
export { GitRemoteRemoveInput } from './tools/remotes/git-remote-remove.ts';
export { GitRemoteSetUrlInput } from './tools/remotes/git-remote-set-url.ts';
export { GitRenameBranchInput, type RenamedBranch } from './tools/branches/git-rename-branch.ts';
export { GitResetInput, type ResetOutcome } from './tools/changes/git-reset.ts';
export { GitRestoreInput, type RestoreOutcome } from './tools/changes/git-restore.ts';
export { GitRevParseInput, ResolvedRevision } from './tools/inspect/git-rev-parse.ts';
export { GitRevertInput } from './tools/integrate/git-revert.ts';
export { GitRmInput, type RemovedFiles } from './tools/changes/git-rm.ts';
export { GitShowInput } from './tools/history/git-show.ts';
export { GitSkipInput } from './tools/integrate/git-skip.ts';
export { GitStashApplyInput, type AppliedStash } from './tools/stashes/git-stash-apply.ts';
export { GitStashDropInput, type DroppedStash } from './tools/stashes/git-stash-drop.ts';
export { Stash, StashList } from './tools/stashes/git-stash-list.ts';
export { GitStashPushInput, type StashedChanges } from './tools/stashes/git-stash-push.ts';
export { ChangedFile, GitStatusInput, RepositoryStatus, StatusCounts } from './tools/inspect/git-status.ts';
export { GitTagCreateInput, type CreatedTag } from './tools/tags/git-tag-create.ts';
export { GitTagDeleteInput, type DeletedTag } from './tools/tags/git-tag-delete.ts';
export { GitTagListInput, Tag, TagList } from './tools/tags/git-tag-list.ts';
export { GitVerifyCommitsInput, VerifiedCommit, VerifiedCommits } from './tools/history/git-verify-commits.ts';
export { GitNotesInput, type ChangedNote, type NoteList, type ShownNote } from './tools/history/git-notes.ts';
export { GitTagVerifyInput, VerifiedTag } from './tools/tags/git-tag-verify.ts';
export { AddedWorktree, GitWorktreeAddInput } from './tools/worktrees/git-worktree-add.ts';
export { GitWorktreeListInput, Worktree, WorktreeList } from './tools/worktrees/git-worktree-list.ts';
export { GitOverlapInput, OverlappingFile, OverlappingWork, OverlapReport } from './tools/worktrees/git-overlap.ts';
export {
  GitSparseCheckoutInput,
  type ChangedSparseCheckout,
  type SparseCheckout,
} from './tools/worktrees/git-sparse-checkout.ts';
export { GitSubmoduleUpdateInput, SubmoduleUpdate, UpdatedSubmodule } from './tools/worktrees/git-submodule-update.ts';
export { GitSubmodulesInput, Submodule, SubmoduleList } from './tools/worktrees/git-submodules.ts';
export { GitWorktreePruneInput, PrunedWorktrees } from './tools/worktrees/git-worktree-prune.ts';
export { GitWorktreeRemoveInput } from './tools/worktrees/git-worktree-remove.ts';
export type { IntegrationResult, IntegrationOutcome } from './tools/integrate/integration-result.ts';
export { PickInput } from './tools/integrate/pick.ts';
export { RepositoryInput } from './tools/inputs/repository-input.ts';
export { GitOptions, type Trust } from './git-options.ts';
export { BisectArguments } from './features/prompts/bisect.ts';
export { CommitMessageArguments } from './features/prompts/commit-message.ts';
export { ExplainCommitArguments } from './features/prompts/explain-commit.ts';
export { PrDescriptionArguments } from './features/prompts/pr-description.ts';
export type { PromptMessage } from './features/prompts/prompt-message.ts';
export { ReleaseNotesArguments } from './features/prompts/release-notes.ts';
export { ResolveConflictsArguments } from './features/prompts/resolve-conflicts.ts';
export { ReviewChangesArguments } from './features/prompts/review-changes.ts';
export { SplitCommitArguments } from './features/prompts/split-commit.ts';
export type { Answer, Contents } from './features/resources/contents.ts';
export { BlobUri, CommitUri, ConflictUri, DiffUri, LogUri, RepositoryUri } from './features/resources/uris.ts';
export type { OperationKind } from './repository/integrate/operation.ts';
export type { CallScope, Repositories } from './repository/repositories.ts';
export type { CommandOptions, Limits, Repository } from './repository/repository.ts';
export { RepositoryStates, type StatesPlan, type StatesSource, type UnrestoredPath } from './features/repository-states.ts';
