import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { ChangeBus, compileServer, ToolError, type ResourceDefinition, escapeInvisible } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';
import type { WatchHub, WatchedResource } from '@org/mcp-watch';

import type { Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { watchedResource, type ResourceTarget } from './watched-resource.ts';

/** Timeout in milliseconds for opening watched or listed repositories. */
const LOOK_MS = 60_000;

/** Objects that a notifier uses. */
interface NotifierDependencies {
  readonly hub: WatchHub;
  readonly repositories: Repositories;
  /**
   * Directories of the operator. The client's roots do not narrow these directories, because a notification cannot request roots.
   */
  readonly roots: Roots;
}

/** Notifies clients of changed resources, and of repositories that appear or disappear. */
export class ResourceNotifier {
  readonly #server: object;
  readonly #dependencies: NotifierDependencies;
  #listing: Promise<unknown> | undefined;

  /** @param server the server object whose resource templates can be watched */
  constructor(server: object, dependencies: NotifierDependencies) {
    this.#server = server;
    this.#dependencies = dependencies;
  }

  /** Lists the resources. After the first call, clients are notified when a repository appears or disappears. */
  async list(): Promise<readonly ResourceDefinition[]> {
    this.#listing ??= this.#watchList();
    await this.#listing;
    const { repositories, roots } = this.#dependencies;
    return listRepositoryResources(await repositories.all({ roots, signal: AbortSignal.timeout(LOOK_MS) }));
  }

  /** Watches a resource. Returns `undefined` if the URI names no resource of an existing repository. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const named = this.#named(uri);
    if (named === undefined) return undefined;
    const open = (): Promise<Repository> => this.#open(named);
    const repository = await open().catch((error: unknown) => {
      if (ToolError.is(error)) return undefined;
      throw error;
    });
    return repository && this.#dependencies.hub.watch(watchedResource(named, repository, open), updated);
  }

  #named(uri: string): ResourceTarget | undefined {
    for (const { template, definition } of compileServer(this.#server).templates) {
      const { repo, ...variables } = template.match(uri) ?? {};
      if (repo !== undefined) return { uri, name: definition.name, variables: { repo, ...variables } };
    }
    return undefined;
  }

  #open({ variables: { repo } }: ResourceTarget): Promise<Repository> {
    const { repositories, roots } = this.#dependencies;
    return repositories.byId(repo, { roots, signal: AbortSignal.timeout(LOOK_MS) });
  }

  async #watchList(): Promise<AsyncDisposable> {
    const { hub, repositories, roots } = this.#dependencies;
    return hub.watch(await watchedRepositories(repositories, roots), () =>
      ChangeBus.of(this.#server).deliver({ kind: 'resources_list_changed' }),
    );
  }
}

/**
 * Returns what to watch for repositories that appear or disappear. A repository in a new directory directly below a root is found
 * at once; any other new repository is found within 30 s.
 */
async function watchedRepositories(repositories: Repositories, roots: Roots): Promise<WatchedResource> {
  const tops = await Promise.all((await repositories.findCandidates(roots)).map((top) => realpath(top).catch(() => top)));
  return {
    key: 'repositories',
    targets: [
      ...roots.directories.map(({ realPath }) => ({ kind: 'directory', path: realPath }) as const),
      ...tops.map((top) => ({ kind: 'file', path: path.join(top, '.git') }) as const),
    ],
    fingerprint: async () => (await repositories.findCandidates(roots)).join('\0'),
  };
}

/** Resources that are listed for each repository, each with its name in the URI, its title and its description. */
const LISTED = [
  ['status', 'Status', 'Branch, upstream and changed files'],
  ['head', 'HEAD', 'The current branch and its commit'],
  ['refs', 'Branches and tags', 'All branches and tags with their object names'],
] as const;

/** Lists the resources status, HEAD and refs of each repository. A bare repository has no status. */
function listRepositoryResources(repositories: readonly Repository[]): readonly ResourceDefinition[] {
  return repositories.flatMap((repository) =>
    LISTED.filter(([kind]) => !(repository.layout.isBare && kind === 'status')).map(([kind, title, description]) => ({
      uri: formatGitUri(repository.id, kind),
      name: `${escapeInvisible(repository.id)} ${kind}`,
      title: `${title} of ${escapeInvisible(repository.shown)}`,
      description,
      mimeType: 'application/json',
    })),
  );
}
