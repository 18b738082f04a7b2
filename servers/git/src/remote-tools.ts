import { confirmedResult, RequestContext, type Result, Tool } from '@org/mcp-decorators';

import { abroad, ADDS, LOSES, READS, SETS } from './hints.ts';
import { JoiningTools } from './joining-tools.ts';
import { ClonedRepository, gitClone, GitCloneInput } from './operations/git-clone.ts';
import { FetchedRefs, gitFetch, GitFetchInput } from './operations/git-fetch.ts';
import { gitInit, GitInitInput, MadeRepository } from './operations/git-init.ts';
import { gitPull, GitPullInput } from './operations/git-pull.ts';
import { gitPush, GitPushInput } from './operations/git-push.ts';
import { gitRemoteAdd, GitRemoteAddInput } from './operations/git-remote-add.ts';
import { gitRemoteList, Remote, RemoteList } from './operations/git-remote-list.ts';
import { gitRemoteRemove, GitRemoteRemoveInput } from './operations/git-remote-remove.ts';
import { gitRemoteSetUrl, GitRemoteSetUrlInput } from './operations/git-remote-set-url.ts';
import { ListInput } from './operations/list-page.ts';
import {
  cloneResult,
  fetchResult,
  initResult,
  pullResult,
  pushResult,
  remoteResult,
  remotesResult,
} from './results/remote-results.ts';

/** As long as a large repository may take over a slow line. */
const HOUR_MS = 3_600_000;

/** Tools that make repositories, and exchange commits with others. */
export abstract class RemoteTools extends JoiningTools {
  @Tool({
    title: 'Init',
    description: 'Make an empty repository',
    output: MadeRepository,
    annotations: ADDS,
    sets: ['default', 'write'],
  })
  async gitInit(input: GitInitInput, context: RequestContext): Promise<Result> {
    return initResult(await gitInit(this.repositories, input, await this.scopeOf(context)));
  }

  @Tool({
    title: 'Clone',
    description: 'Copy a remote repository into a new directory',
    output: ClonedRepository,
    annotations: abroad(ADDS),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitClone(input: GitCloneInput, context: RequestContext): Promise<Result> {
    return cloneResult(await gitClone(this.repositories, input, { scope: await this.scopeOf(context), context }));
  }

  @Tool({
    title: 'Fetch',
    description: 'Bring what a remote has into the remote-tracking branches',
    output: FetchedRefs,
    annotations: abroad(SETS),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitFetch(input: GitFetchInput, context: RequestContext): Promise<Result> {
    return fetchResult(await gitFetch(await this.repositoryFor(input, context), input, context));
  }

  @Tool({
    title: 'Pull',
    description: 'Fetch a branch and move the current one forward to it; merges or rebases if asked to',
    annotations: abroad(LOSES),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitPull(input: GitPullInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitPull(await this.repositoryFor(input, context), input, context), pullResult);
  }

  @Tool({
    title: 'Push',
    description: 'Send a branch to a remote; force and delete are confirmed first',
    annotations: abroad(LOSES),
    sets: ['remote'],
    timeoutMs: HOUR_MS,
  })
  async gitPush(input: GitPushInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await gitPush(await this.repositoryFor(input, context), input, context), pushResult);
  }

  @Tool({
    title: 'Remotes',
    description: 'List remotes; passwords in URLs are not shown',
    output: RemoteList,
    annotations: READS,
    sets: ['remote'],
  })
  async gitRemoteList(input: ListInput, context: RequestContext): Promise<Result> {
    return remotesResult(await gitRemoteList(await this.repositoryFor(input, context), input));
  }

  @Tool({ title: 'Add remote', description: 'Add a remote', output: Remote, annotations: ADDS, sets: ['remote'] })
  async gitRemoteAdd(input: GitRemoteAddInput, context: RequestContext): Promise<Result> {
    return remoteResult(await gitRemoteAdd(await this.repositoryFor(input, context), input), 'Added');
  }

  @Tool({
    title: 'Set remote URL',
    description: 'Give a remote another URL, once that is confirmed',
    annotations: LOSES,
    sets: ['remote'],
  })
  async gitRemoteSetUrl(input: GitRemoteSetUrlInput, context: RequestContext): Promise<Result> {
    const outcome = await gitRemoteSetUrl(await this.repositoryFor(input, context), input, context);
    return confirmedResult(outcome, (remote) => remoteResult(remote, 'Now'));
  }

  @Tool({
    title: 'Remove remote',
    description: 'Remove a remote and its remote-tracking branches, once that is confirmed',
    annotations: LOSES,
    sets: ['remote'],
  })
  async gitRemoteRemove(input: GitRemoteRemoveInput, context: RequestContext): Promise<Result> {
    const outcome = await gitRemoteRemove(await this.repositoryFor(input, context), input, context);
    return confirmedResult(outcome, (remote) => remoteResult(remote, 'Removed'));
  }
}
