import { Complete, Prompt, RequestContext, type Candidates } from '@org/mcp-decorators';

import { GitResources } from './git-resources.ts';
import { bisect, BisectArguments } from './prompts/bisect.ts';
import { commitMessage, CommitMessageArguments, STYLES } from './prompts/commit-message.ts';
import { explainCommit, ExplainCommitArguments } from './prompts/explain-commit.ts';
import { prDescription, PrDescriptionArguments } from './prompts/pr-description.ts';
import { releaseNotes, ReleaseNotesArguments } from './prompts/release-notes.ts';
import { resolveConflicts, ResolveConflictsArguments } from './prompts/resolve-conflicts.ts';
import { reviewChanges, ReviewChangesArguments, FOCUSES } from './prompts/review-changes.ts';
import { splitCommit, SplitCommitArguments } from './prompts/split-commit.ts';
import type { RepositoryInput } from './operations/repository-input.ts';
import type { PromptMessage } from './prompts/prompt-message.ts';
import type { Repository } from './repository/repository.ts';
import { authorCandidates, completing, conflictCandidates, revisionCandidates } from './resources/complete-names.ts';

type Messages = Promise<readonly PromptMessage[]>;
type Given = Readonly<Record<string, string>>;

/** What to ask a model about a repository, together with what it has to know of it. */
export abstract class GitPrompts extends GitResources {
  @Prompt({ title: 'Commit message', description: 'Write the message for what is staged' })
  async commitMessage(args: CommitMessageArguments, context: RequestContext): Messages {
    return commitMessage(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Review changes', description: 'Review what is not committed, or what a branch did' })
  async reviewChanges(args: ReviewChangesArguments, context: RequestContext): Messages {
    return reviewChanges(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Pull request description', description: 'Describe what a branch did since it left another' })
  async prDescription(args: PrDescriptionArguments, context: RequestContext): Messages {
    return prDescription(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Release notes', description: 'Tell users what is new since the last release' })
  async releaseNotes(args: ReleaseNotesArguments, context: RequestContext): Messages {
    return releaseNotes(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Explain commit', description: 'Say what a commit does and why' })
  async explainCommit(args: ExplainCommitArguments, context: RequestContext): Messages {
    return explainCommit(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Resolve conflicts', description: 'Resolve the conflicts of a merge, rebase or cherry-pick' })
  async resolveConflicts(args: ResolveConflictsArguments, context: RequestContext): Messages {
    return resolveConflicts(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Bisect', description: 'Find the commit that broke something' })
  async bisect(args: BisectArguments, context: RequestContext): Messages {
    return bisect(await this.#repositoryFor(args, context), args);
  }

  @Prompt({ title: 'Split commit', description: 'Propose how to make several commits of one' })
  async splitCommit(args: SplitCommitArguments, context: RequestContext): Messages {
    return splitCommit(await this.#repositoryFor(args, context), args);
  }

  /** A prompt may be as large as a resource. */
  async #repositoryFor({ repo_path }: RepositoryInput, context: RequestContext): Promise<Repository> {
    return this.repositories.open(repo_path, await this.scopeOf(context));
  }

  @Complete({ prompt: 'commit_message', argument: 'repo_path' })
  @Complete({ prompt: 'review_changes', argument: 'repo_path' })
  @Complete({ prompt: 'pr_description', argument: 'repo_path' })
  @Complete({ prompt: 'release_notes', argument: 'repo_path' })
  @Complete({ prompt: 'explain_commit', argument: 'repo_path' })
  @Complete({ prompt: 'resolve_conflicts', argument: 'repo_path' })
  @Complete({ prompt: 'bisect', argument: 'repo_path' })
  @Complete({ prompt: 'split_commit', argument: 'repo_path' })
  async completeRepoPath(_: string, __: Given, context: RequestContext): Promise<Candidates> {
    return this.repositories.candidates((await this.scopeOf(context)).roots);
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
  async completeRevision(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#candidates(given, context, revisionCandidates);
  }

  @Complete({ prompt: 'release_notes', argument: 'author' })
  async completeAuthor(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#candidates(given, context, authorCandidates);
  }

  @Complete({ prompt: 'resolve_conflicts', argument: 'path' })
  async completeConflicted(_: string, given: Given, context: RequestContext): Promise<Candidates> {
    return this.#candidates(given, context, conflictCandidates);
  }

  @Complete({ prompt: 'commit_message', argument: 'style' })
  completeStyle(): Candidates {
    return STYLES;
  }

  @Complete({ prompt: 'review_changes', argument: 'focus' })
  completeFocus(): Candidates {
    return FOCUSES;
  }

  async #candidates(
    { repo_path }: Given,
    context: RequestContext,
    candidates: (repository: Repository) => Promise<Candidates>,
  ): Promise<Candidates> {
    const input = repo_path === undefined ? {} : { repo_path };
    return completing(async () => candidates(await this.repositoryFor(input, context)));
  }
}
