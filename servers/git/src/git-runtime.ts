import {
  CallRoots,
  diagnoseClientRoots,
  explainTilde,
  requireDirectories,
  logFailures,
  UsageError,
  type Diagnosis,
  type OperatorLog,
} from '@org/mcp-host';
import { RootError, Roots } from '@org/mcp-roots';
import { WatchHub } from '@org/mcp-watch';
import { offersTool, ToolError } from '@org/mcp-decorators';

import { ResourceNotifier } from './features/resources/resource-notifier.ts';
import type { GitOptions } from './git-options.ts';
import { Repositories } from './repository/repositories.ts';
import type { Limits, Policy } from './repository/repository.ts';

/** State of an open git server: the operator's directories, the repositories in them, and the watchers. */
export class GitRuntime implements AsyncDisposable {
  /**
   * The operator's directories, narrowed for each call to what the roots of its client allow. Without such directories, the roots
   * of the client.
   */
  readonly callRoots: CallRoots<Roots>;
  readonly repositories: Repositories;
  readonly notifier: ResourceNotifier;
  readonly #options: GitOptions;
  readonly #roots: Roots;
  readonly #hub: WatchHub;

  /** @param server the object whose resource templates can be watched */
  private constructor(server: object, roots: Roots, options: GitOptions, log: OperatorLog | undefined) {
    const { trust, maxWatches } = options;
    const { directories } = roots;
    const isListed = (top: string): boolean => directories.some(({ realPath }) => realPath === top);
    const isTrusted = (top: string): boolean => trust === 'all' || (trust === 'listed' && isListed(top));
    this.#options = options;
    this.#roots = roots;
    this.#hub = new WatchHub({ maxWatches, ...(log && { onError: logFailures(log) }) });
    this.callRoots = new CallRoots(roots, options, log);
    this.repositories = new Repositories(
      { ...resourceLimits(options), offersTool: (name: string) => offersTool(server, name) },
      isTrusted,
      directories,
    );
    this.notifier = new ResourceNotifier(server, { hub: this.#hub, repositories: this.repositories, roots });
  }

  /**
   * Opens the operator's directories. A missing directory is only logged, because it may appear later.
   *
   * @throws UsageError if a directory cannot be used, or if the server runs over HTTP without directories
   */
  static async open(server: object, options: GitOptions, log?: OperatorLog): Promise<GitRuntime> {
    const roots = await openRoots(options);
    try {
      await checkDirectories(roots, options, log);
      return new GitRuntime(server, roots, options, log);
    } catch (error) {
      await roots[Symbol.asyncDispose]();
      throw error;
    }
  }

  diagnose(): Promise<readonly Diagnosis[]> {
    return diagnose(this.repositories, this.#roots, this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.repositories.close();
    await this.#hub[Symbol.asyncDispose]();
    await this.#roots[Symbol.asyncDispose]();
  }
}

async function openRoots({ directories }: GitOptions): Promise<Roots> {
  try {
    return await Roots.open(directories);
  } catch (error) {
    throw error instanceof RootError ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function checkDirectories({ directories }: Roots, options: GitOptions, log: OperatorLog | undefined): Promise<void> {
  requireDirectories(options, directories);
  if (directories.length === 0) log?.info(diagnoseClientRoots(options, []).detail);
  for (const root of directories)
    if ((await root.state()) === 'unavailable')
      log?.warning(`the directory ${root.path} does not exist; it is used as soon as it appears${explainTilde(root.path)}`);
}

/**
 * Returns the limits of resources and prompts, and the restrictions of the operator. `GitServer.repositoryFor` replaces
 * `maxBytes` for tools.
 */
function resourceLimits(options: GitOptions): Limits & Policy {
  const {
    maxResourceBytes: maxBytes,
    maxEntries,
    maxCommits,
    maxPatchBytes,
    allowHooks,
    protectedBranches,
    remoteHosts,
  } = options;
  return { maxBytes, maxEntries, maxCommits, maxPatchBytes, allowHooks, protectedBranches, ...(remoteHosts && { remoteHosts }) };
}

/** Timeout in milliseconds for opening one repository during the diagnosis. */
const LOOK_MS = 60_000;

/** Reports the version of git, the use of client roots, missing directories, and whether each repository found can be used. */
async function diagnose(
  repositories: Repositories,
  roots: Roots,
  options: Pick<GitOptions, 'roots'>,
): Promise<readonly Diagnosis[]> {
  const general = [await diagnoseGit(repositories), diagnoseClientRoots(options, roots.directories)];
  if (roots.directories.length === 0) return general;
  const candidates = await repositories.findCandidates(roots);
  const none = { subject: 'repositories', ok: false, detail: 'no repositories found in the given directories' };
  const each = await Promise.all(candidates.map((top) => diagnoseRepository(repositories, roots, top)));
  const missing = await diagnoseMissing(roots);
  return [...general, ...missing, ...(each.length === 0 && missing.length === 0 ? [none] : each)];
}

/** Reports the given directories that do not exist, or were replaced after the start. */
async function diagnoseMissing({ directories }: Roots): Promise<readonly Diagnosis[]> {
  const states = await Promise.all(directories.map(async (root) => ({ path: root.path, state: await root.state() })));
  return states
    .filter(({ state }) => state !== 'available')
    .map(({ path, state }) => ({
      subject: `directory ${path}`,
      ok: false,
      detail: state === 'changed' ? 'the directory was replaced after the server started' : 'the directory does not exist',
    }));
}

function diagnoseGit(repositories: Repositories): Promise<Diagnosis> {
  return report('git', async () => `version ${await repositories.gitVersion()}`);
}

function diagnoseRepository(repositories: Repositories, roots: Roots, top: string): Promise<Diagnosis> {
  return report(`repository ${top}`, async () => {
    const { id } = await repositories.open(top, { roots, signal: AbortSignal.timeout(LOOK_MS) });
    return `available as ${id}`;
  });
}

async function report(subject: string, detail: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { subject, ok: true, detail: await detail() };
  } catch (error) {
    if (ToolError.is(error)) return { subject, ok: false, detail: error.text };
    throw error;
  }
}
