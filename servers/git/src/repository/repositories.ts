import path from 'node:path';

import { ToolError, visibleName } from '@org/mcp-decorators';
import type { Roots, VerifiedPath } from '@org/mcp-roots';

import { quoted } from '../text/visible.ts';
import { AllowedDirectories } from './allowed-directories.ts';
import { findRepositories, MAX_FOUND } from './find.ts';
import { Guard, requireInside, requireTrust, shownTop, type Examined } from './guard.ts';
import { notARepository } from './locate.ts';
import { ObjectReaders } from './object-readers.ts';
import { newRepository, type NewRepository, type Target } from './new-repository.ts';
import { bound, PinnedConfigurations, type UserCopy } from './pinned-configurations.ts';
import type { Ground } from './places.ts';
import { GitProgram } from './program.ts';
import { Queue } from './queue.ts';
import { openRepository, type Limits, type Policy, type Repository } from './repository.ts';
import { SharedTurn } from './shared-turn.ts';
import { copyForNewRepository } from './user-copy.ts';
import { withNarrowing } from './with-narrowing.ts';

/** Which repositories may run the programs that their configuration names. */
export type Trusts = (top: string) => boolean;

/** What one call may use. */
export interface CallScope {
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** Most bytes of its result, if not those of a resource. */
  readonly maxBytes?: number;
}

/** What a call may open. */
interface Opening {
  readonly examined: Examined;
  readonly shown: string;
  readonly isTrusted: boolean;
}

/** The repositories inside the roots. */
export class Repositories {
  readonly #allowed: AllowedDirectories;
  readonly #git: GitProgram;
  readonly #guard: Guard;
  readonly #objects: ObjectReaders;
  readonly #pinned = new PinnedConfigurations();
  readonly #options: Limits & Policy;
  readonly #queues = new Map<string, Queue>();
  readonly #trusts: Trusts;
  readonly #openings = new WeakMap<Roots, SharedTurn<Opening>>();
  /** Where repositories that were opened are, by id: those that are not looked for can be named, too. */
  readonly #opened = new Map<string, string>();

  /** @param directories the operator's; without any, the directories of each call are added */
  constructor(options: Limits & Policy, trusts: Trusts, directories: Roots['directories'] = []) {
    this.#options = options;
    this.#trusts = trusts;
    this.#allowed = new AllowedDirectories(directories);
    this.#git = new GitProgram(this.#allowed);
    this.#guard = new Guard(this.#git, this.#allowed);
    this.#objects = new ObjectReaders(this.#git);
  }

  /** What the operator lets be done. */
  get policy(): Policy {
    return this.#options;
  }

  /** @throws ToolError GIT_NOT_FOUND, GIT_TOO_OLD */
  gitVersion(): Promise<string> {
    return this.#git.version();
  }

  /** Where there seem to be repositories, by their paths under the roots. */
  async candidates({ directories }: Roots): Promise<readonly string[]> {
    return [...new Set((await Promise.all(directories.map(findRepositories))).flat())];
  }

  /**
   * Opens the repository around a directory; the only one there is if none is given.
   *
   * Nothing runs in it before it is known to lie inside the roots, with all its parts, and not to start programs of its own.
   *
   * @throws ToolError NOT_A_REPO, PATH_OUTSIDE_ROOTS, REPO_UNTRUSTED, INVALID_ARGUMENTS, GIT_TOO_OLD, and those of `Roots.existing`
   */
  async open(given: string | undefined, { roots, signal, maxBytes }: CallScope): Promise<Repository> {
    this.#allowed.add(roots.directories);
    const { examined, shown, isTrusted } = await this.#opening(given, { roots, signal }).catch((error: unknown) => {
      throw withNarrowing(error, roots);
    });
    const { ground, configuration } = examined;
    // A trusted repository may run programs, so its configuration is not pinned.
    const tie = isTrusted ? bound : (place: Ground) => this.#pinned.environment(place, configuration);
    const ties = tie(ground);
    const queue = this.#queues.get(ground.commonDir) ?? new Queue();
    this.#queues.set(ground.commonDir, queue);
    const repository = openRepository(this.#git, ground, {
      shown,
      limits: { ...this.#options, ...(maxBytes !== undefined && { maxBytes }) },
      policy: this.#options,
      isTrusted,
      signal,
      queue,
      // Reading objects needs no work tree. With one, git would change to its directory.
      objects: this.#objects.of(examined, tie({ ...ground, isBare: true })),
      ties,
      insideRoots: (directory) => realInside(directory, roots),
    });
    this.#opened.set(repository.id, shown);
    return repository;
  }

  /**
   * Begins to make a repository, which is nowhere to be seen until it is whole.
   *
   * @throws ToolError those of {@link newRepository}
   */
  begin(target: Target, { roots, signal }: CallScope): Promise<NewRepository> {
    this.#allowed.add(roots.directories);
    const [git, pinned] = [this.#git, this.#pinned];
    const copyUser = async (directory: string): Promise<UserCopy | undefined> =>
      this.#trusts(directory)
        ? undefined
        : copyForNewRepository(directory, { git, pinned, isWritable: this.#allowed.predicate(directory), signal });
    return newRepository(target, { git, roots, signal, policy: this.#options, copyUser });
  }

  /**
   * Opens the repository of an id.
   *
   * @throws ToolError NOT_FOUND
   */
  async byId(id: string, scope: CallScope): Promise<Repository> {
    const opened = this.#opened.get(id);
    const again = opened === undefined ? [] : await openable([this.open(opened, scope)], scope);
    const found = [...again, ...(again.length === 0 ? await this.all(scope) : [])].find((repository) => repository.id === id);
    if (found !== undefined) return found;
    throw new ToolError('NOT_FOUND', `there is no repository ${quoted(id)} in the allowed directories`);
  }

  /** Every repository that can be opened; those that are refused are left out. */
  async all(scope: CallScope): Promise<readonly Repository[]> {
    const candidates = await this.candidates(scope.roots);
    return openable(
      candidates.map((top) => this.open(top, scope)),
      scope,
    );
  }

  /** Ends the idle object readers and removes the copies of configurations. */
  close(): void {
    this.#objects.end();
    this.#pinned.close();
  }

  async #opening(given: string | undefined, { roots, signal }: CallScope): Promise<Opening> {
    const named = given ?? (await this.#only(roots));
    const openings = this.#openings.get(roots) ?? new SharedTurn();
    this.#openings.set(roots, openings);
    return openings.of(named, () => this.#examine(named, { roots, signal }));
  }

  async #examine(named: string, { roots, signal }: CallScope): Promise<Opening> {
    const directory = await roots.existing(named);
    if (!directory.facts.isDirectory()) throw new ToolError('NOT_DIRECTORY', `${quoted(named)} is not a directory`);
    const ceiling = ceilingOf(directory, roots);
    const examined = await this.#guard.examine({ directory: directory.real, given: named, ceiling, signal });
    const { top } = examined.ground;
    const shown = directory.real === top ? directory.shown : await shownTop(top, named, roots);
    await requireInside(examined, named, roots);
    const isTrusted = this.#trusts(top);
    if (!isTrusted) await requireTrust(examined, named, roots);
    return { examined, shown, isTrusted };
  }

  async #only(roots: Roots): Promise<string> {
    // Says ROOTS_REQUIRED, or that the client allows nothing, where there is no root at all.
    if (roots.directories.length === 0) await roots.existing('.');
    const candidates = await this.candidates(roots);
    const [first, second] = candidates;
    if (first === undefined) throw notARepository(roots.directories.map((root) => root.path).join(', '));
    if (second === undefined) return first;
    const least = candidates.length < MAX_FOUND ? '' : 'at least ';
    throw new ToolError('INVALID_ARGUMENTS', `repo_path is needed, because there are ${least}${candidates.length} repositories`, {
      hint: candidates.map(visibleName).join('\n'),
      data: { candidates },
    });
  }
}

function realInside(directory: string, roots: Roots): Promise<string | undefined> {
  return roots.existing(directory).then(
    ({ real }) => real,
    () => undefined,
  );
}

/** Above the root that holds a directory: git does not look for repositories there. */
function ceilingOf({ real }: VerifiedPath, { directories }: Roots): string {
  const holders = directories.map(({ realPath }) => realPath).filter((root) => real === root || real.startsWith(root + path.sep));
  const outermost = holders.sort((one, other) => one.length - other.length)[0];
  return path.dirname(outermost ?? real);
}

/** Those that are not refused. */
async function openable(opening: readonly Promise<Repository>[], { signal }: CallScope): Promise<readonly Repository[]> {
  const opened = await Promise.allSettled(opening);
  signal.throwIfAborted();
  return opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}
