import { ToolError, type RequestContext } from '@org/mcp-decorators';

import { describeReturn } from '../repository/rewind/describe-return.ts';
import { recordState, returnToState, type RecordedState } from '../repository/rewind/recorded-state.ts';
import type { CallScope, Repositories } from '../repository/repositories.ts';
import type { Repository } from '../repository/repository.ts';

/** A repository that cannot return to a recorded state, or a file that keeps its content, and the reason. */
export interface UnrestoredPath {
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly reason: string;
}

/** The changes that a return to a recorded state would make, and the repositories that cannot return. */
export interface StatesPlan {
  readonly changes: readonly string[];
  readonly conflicts: readonly UnrestoredPath[];
}

interface States {
  readonly repositories: readonly RecordedState[];
}

/** Functions of the server whose repositories are recorded. */
export interface StatesSource {
  readonly repositories: () => Repositories;
  readonly scopeFor: (context: RequestContext) => Promise<CallScope>;
  readonly isReadOnly: () => boolean;
}

/**
 * Records and restores the branches, the index and the files of all repositories that the search finds in the directories of a
 * call. A server that offers files in the same process passes this object to the tools `checkpoint` and `rewind`.
 */
export class RepositoryStates {
  readonly #repositories: () => Repositories;
  readonly #scopeFor: (context: RequestContext) => Promise<CallScope>;
  readonly #isReadOnly: () => boolean;

  constructor({ repositories, scopeFor, isReadOnly }: StatesSource) {
    this.#repositories = repositories;
    this.#scopeFor = scopeFor;
    this.#isReadOnly = isReadOnly;
  }

  /**
   * Records the state of all usable repositories, as a JSON value. Returns `undefined` on a read-only server, which restores
   * nothing.
   */
  async record(context: RequestContext): Promise<unknown> {
    if (this.#isReadOnly()) return undefined;
    const scope = await this.#scopeFor(context);
    const repositories: RecordedState[] = [];
    for (const path of await this.#repositories().findCandidates(scope.roots)) {
      const repository = await this.#openUsable(path, scope);
      const state = repository && (await recordState(repository));
      if (state !== undefined) repositories.push(state);
    }
    return { repositories } satisfies States;
  }

  /** Describes what `restore` would change. @param state a value that `record` returned */
  async plan(state: unknown, context: RequestContext): Promise<StatesPlan> {
    const changes: string[] = [];
    const conflicts: UnrestoredPath[] = [];
    for (const { recorded, repository, problem: unusable } of await this.#openAll(state, context)) {
      const planned = repository && (await describeReturn(repository, recorded));
      const problem = planned === undefined ? unusable : planned.problem;
      if (problem !== undefined) conflicts.push({ path: recorded.top, reason: problem });
      changes.push(...(planned?.changes ?? []).map((change) => `${recorded.top}: ${change}`));
    }
    return { changes, conflicts };
  }

  /**
   * Restores a recorded state. Returns the files that stay as they are, because they were edited since the last commit, and the
   * repositories that cannot be restored.
   */
  async restore(state: unknown, context: RequestContext): Promise<readonly UnrestoredPath[]> {
    const left: UnrestoredPath[] = [];
    for (const { recorded, repository, problem: unusable } of await this.#openAll(state, context)) {
      const problem = repository === undefined ? unusable : (await describeReturn(repository, recorded)).problem;
      if (repository === undefined || problem !== undefined) left.push({ path: recorded.top, reason: problem ?? '' });
      else
        for (const path of await returnToState(repository, recorded))
          left.push({ path: `${recorded.top}/${path}`, reason: 'was edited since the last commit, and stays as it is' });
    }
    return left;
  }

  async #openAll(state: unknown, context: RequestContext): Promise<readonly OpenedState[]> {
    const scope = await this.#scopeFor(context);
    return Promise.all(
      (state as States).repositories.map(async (recorded): Promise<OpenedState> => {
        try {
          return { recorded, repository: await this.#repositories().open(recorded.top, scope) };
        } catch (error) {
          if (!ToolError.is(error)) throw error;
          return { recorded, problem: `cannot be used: ${error.message}` };
        }
      }),
    );
  }

  async #openUsable(path: string, scope: CallScope): Promise<Repository | undefined> {
    try {
      return await this.#repositories().open(path, scope);
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return undefined;
    }
  }
}

interface OpenedState {
  readonly recorded: RecordedState;
  readonly repository?: Repository;
  readonly problem?: string;
}
