import { confirmedResult, RequestContext, type Result, Tool } from '@org/mcp-decorators';

import { ADDS, LOSES, READS } from './hints.ts';
import { HistoryTools } from './history-tools.ts';
import { gitStashApply, GitStashApplyInput } from './operations/git-stash-apply.ts';
import { gitStashDrop, GitStashDropInput } from './operations/git-stash-drop.ts';
import { gitStashList, StashList } from './operations/git-stash-list.ts';
import { gitStashPush, GitStashPushInput } from './operations/git-stash-push.ts';
import { gitTagCreate, GitTagCreateInput } from './operations/git-tag-create.ts';
import { gitTagDelete, GitTagDeleteInput } from './operations/git-tag-delete.ts';
import { gitTagList, GitTagListInput, TagList } from './operations/git-tag-list.ts';
import { gitTagVerify, GitTagVerifyInput, VerifiedTag } from './operations/git-tag-verify.ts';
import { ListInput } from './operations/list-page.ts';
import {
  appliedResult,
  droppedResult,
  pushedResult,
  stashesResult,
  tagDeletedResult,
  taggedResult,
  tagsResult,
  verifiedResult,
} from './results/keeping-results.ts';

/** Tools that put changes aside, and that tag commits. */
export abstract class KeepingTools extends HistoryTools {
  @Tool({
    title: 'Stashes',
    description: 'List stashes',
    output: StashList,
    annotations: READS,
    sets: ['default', 'read'],
  })
  async gitStashList(input: ListInput, context: RequestContext): Promise<Result> {
    return stashesResult(await gitStashList(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Stash',
    description: 'Stash uncommitted changes and restore the files to HEAD',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitStashPush(input: GitStashPushInput, context: RequestContext): Promise<Result> {
    return pushedResult(await gitStashPush(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Apply stash',
    description: 'Apply a stash',
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitStashApply(input: GitStashApplyInput, context: RequestContext): Promise<Result> {
    return appliedResult(await gitStashApply(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Drop stash',
    description: 'Drop a stash; has to be confirmed',
    annotations: LOSES,
    sets: ['default', 'write'],
  })
  async gitStashDrop(input: GitStashDropInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitStashDrop(await this.repositoryFor(input, context), input, context), droppedResult);
  }

  @Tool({
    title: 'Tags',
    description: 'List tags',
    output: TagList,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitTagList(input: GitTagListInput, context: RequestContext): Promise<Result> {
    return tagsResult(await gitTagList(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Create tag',
    description: 'Tag a commit; with a message or a signature if wanted',
    annotations: ADDS,
    sets: ['write'],
  })
  async gitTagCreate(input: GitTagCreateInput, context: RequestContext): Promise<Result> {
    return taggedResult(await gitTagCreate(await this.repositoryFor(input, context), input));
  }

  @Tool({
    title: 'Delete tag',
    description: 'Delete a local tag; has to be confirmed',
    annotations: LOSES,
    sets: ['write'],
  })
  async gitTagDelete(input: GitTagDeleteInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitTagDelete(await this.repositoryFor(input, context), input, context), tagDeletedResult);
  }

  @Tool({
    title: 'Verify tag',
    description: "Check a tag's signature with the user's own keys",
    output: VerifiedTag,
    annotations: READS,
    sets: ['read', 'history'],
  })
  async gitTagVerify(input: GitTagVerifyInput, context: RequestContext): Promise<Result> {
    return verifiedResult(await gitTagVerify(await this.repositoryFor(input, context), input));
  }
}
