import type { RequestContext, ResourceDefinition, ResourceLister } from '@org/mcp-decorators';
import {
  CallRoots,
  diagnoseClientRoots,
  requireDirectories,
  toldTo,
  UsageError,
  type Diagnosis,
  type OperatorLog,
  type ServerObject,
  roomInResult,
} from '@org/mcp-host';
import { RootError, Roots } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';

import { diagnose } from './diagnose.ts';
import type { RepositoryInput } from './operations/repository-input.ts';
import type { GitOptions } from './options/git-options.ts';
import { Repositories, type CallScope } from './repository/repositories.ts';
import type { Limits, Policy, Repository } from './repository/repository.ts';
import { ResourceFeed } from './resources/resource-feed.ts';

/** The operator's directories, and what calls may use of them. */
interface Opened {
  readonly roots: Roots;
  readonly ofCalls: CallRoots<Roots>;
}

/** What all tools stand on: the operator's options, the directories, the repositories in them, the watchers. */
export abstract class GitGround implements ServerObject, ResourceLister {
  /** What the operator chose; a subclass with options of its own says so: `declare protected readonly options: AcmeOptions`. */
  protected readonly options: GitOptions;
  #hub: WatchHub | undefined;
  #feed: ResourceFeed | undefined;
  #opened: Opened | undefined;
  #repositories: Repositories | undefined;

  constructor(options: GitOptions) {
    this.options = options;
  }

  /** The repository that an input names, if the roots hold it, for the time of the call. */
  protected async repositoryFor({ repo_path }: RepositoryInput, context: RequestContext): Promise<Repository> {
    return this.repositories.open(repo_path, { ...(await this.scopeOf(context)), maxBytes: roomInResult(this.options.maxBytes) });
  }

  /** The repositories inside the roots; there once the server is open. */
  protected get repositories(): Repositories {
    if (this.#repositories === undefined) throw new Error('the server is not open: await server.open()');
    return this.#repositories;
  }

  /**
   * What a call may use: the operator's directories, narrowed to what its client allows.
   *
   * On 2026-07-28 the method is left here and run again with the client's answer, so side effects come after it.
   *
   * @throws ToolError ROOTS_REQUIRED, NO_ANSWER, INVALID_ANSWER
   */
  protected async scopeOf(context: RequestContext): Promise<CallScope> {
    return { roots: await this.#whileOpen.ofCalls.of(context), signal: context.signal };
  }

  /** Holds the directories. Throws a `UsageError` for one that cannot be used, and for none at all over HTTP; one that is missing may come later. */
  async open(log?: OperatorLog): Promise<void> {
    const roots = await opened(this.options);
    this.#opened = { roots, ofCalls: new CallRoots(roots, this.options, log) };
    const { directories } = roots;
    const isListed = (top: string): boolean => directories.some(({ realPath }) => realPath === top);
    requireDirectories(this.options, directories);
    if (directories.length === 0) log?.info(diagnoseClientRoots(this.options, []).detail);
    for (const root of directories)
      if ((await root.state()) === 'unavailable')
        log?.warning(`the directory ${root.path} is not there; it is used as soon as it is`);
    const { trust, maxWatches } = this.options;
    this.#hub = new WatchHub({ maxWatches, ...(log && { onError: toldTo(log) }) });
    const trusts = (top: string): boolean => trust === 'all' || (trust === 'listed' && isListed(top));
    this.#repositories = new Repositories(resourceLimits(this.options), trusts, directories);
    this.#feed = new ResourceFeed(this, { hub: this.#hub, repositories: this.#repositories, roots });
  }

  /** Subscriptions cannot ask the client for its roots: they are bounded by the operator's directories. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.#feed?.watch(uri, updated);
  }

  /** Status, HEAD and refs of each repository in the operator's directories; that one comes or goes is told from the first list on. */
  async listResources(): Promise<readonly ResourceDefinition[]> {
    return (await this.#feed?.list()) ?? [];
  }

  /** Ends what `open` began; an override calls it last. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#repositories?.close();
    await this.#hub?.[Symbol.asyncDispose]();
    await this.#opened?.roots[Symbol.asyncDispose]();
  }

  /** What `check` and `server://info` say of git and the repositories; an override adds to it. */
  diagnose(): Promise<readonly Diagnosis[]> {
    return diagnose(this.repositories, this.#whileOpen.roots, this.options);
  }

  get #whileOpen(): Opened {
    if (this.#opened === undefined) throw new Error('the server is not open: await server.open()');
    return this.#opened;
  }
}

async function opened({ directories }: GitOptions): Promise<Roots> {
  try {
    return await Roots.open(directories);
  } catch (error) {
    throw error instanceof RootError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** What resources and prompts may return; a tool is bounded when it opens its repository. */
function resourceLimits(options: GitOptions): Limits & Policy {
  const { maxResourceBytes: maxBytes, maxEntries, maxCommits, allowHooks, protectedBranches, remoteHosts } = options;
  return { maxBytes, maxEntries, maxCommits, allowHooks, protectedBranches, ...(remoteHosts && { remoteHosts }) };
}
