import { Changes, compileServer, ToolError, type ResourceDefinition } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';
import type { WatchHub } from '@org/mcp-watch';

import type { Repositories } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';
import { gitSubject, type Named } from './git-subject.ts';
import { listRepositories } from './list-repositories.ts';
import { repositoriesSubject } from './repositories-subject.ts';

/** Looking for what is watched may take this long. */
const LOOK_MS = 60_000;

/** What a feed looks at. */
export interface FeedGround {
  readonly hub: WatchHub;
  readonly repositories: Repositories;
  /** The operator's: what is told unasked cannot ask the client for its roots. */
  readonly roots: Roots;
}

/** What clients hear of without a call: which repositories there are, and what changed in them. */
export class ResourceFeed {
  readonly #server: object;
  readonly #ground: FeedGround;
  #listing: Promise<unknown> | undefined;

  /** @param server whose templates name what is watched */
  constructor(server: object, ground: FeedGround) {
    this.#server = server;
    this.#ground = ground;
  }

  /** What is there now; that a repository comes or goes is told from the first list on. */
  async list(): Promise<readonly ResourceDefinition[]> {
    this.#listing ??= this.#watchList();
    await this.#listing;
    const { repositories, roots } = this.#ground;
    return listRepositories(await repositories.all({ roots, signal: AbortSignal.timeout(LOOK_MS) }));
  }

  /** `undefined` for a URI that names nothing in a repository that is there. */
  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    const named = this.#named(uri);
    if (named === undefined) return undefined;
    const open = (): Promise<Repository> => this.#open(named);
    const repository = await open().catch((error: unknown) => {
      if (ToolError.is(error)) return undefined;
      throw error;
    });
    return repository && this.#ground.hub.watch(gitSubject(named, repository, open), updated);
  }

  #named(uri: string): Named | undefined {
    for (const { template, definition } of compileServer(this.#server).templates) {
      const { repo, ...variables } = template.match(uri) ?? {};
      if (repo !== undefined) return { uri, name: definition.name, variables: { repo, ...variables } };
    }
    return undefined;
  }

  #open({ variables: { repo } }: Named): Promise<Repository> {
    const { repositories, roots } = this.#ground;
    return repositories.byId(repo, { roots, signal: AbortSignal.timeout(LOOK_MS) });
  }

  async #watchList(): Promise<AsyncDisposable> {
    const { hub, repositories, roots } = this.#ground;
    return hub.watch(await repositoriesSubject(repositories, roots), () =>
      Changes.of(this.#server).deliver({ kind: 'resources_list_changed' }),
    );
  }
}
