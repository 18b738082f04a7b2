import path from 'node:path';

import { ToolError, escapeInvisible } from '@org/mcp-decorators';
import type { Roots, VerifiedPath } from '@org/mcp-roots';

import { quoteInput } from '../text/visible.ts';
import { findRepositories, MAX_REPOSITORIES } from './guard/find.ts';
import { Guard, requireInside, requireTrust, resolveShownTop, type ExaminedRepository } from './guard/guard.ts';
import { notARepositoryError } from './guard/locate.ts';
import { bindToPaths, PinnedConfigurations, type UserCopy } from './guard/pinned-configurations.ts';
import type { RepositoryLayout } from './guard/repository-layout.ts';
import { copyUserConfiguration } from './guard/user-configuration.ts';
import { createRepository, type NewRepository, type NewRepositoryTarget } from './new-repository.ts';
import { AllowedDirectories } from './process/allowed-directories.ts';
import { GitProgram } from './process/git-program.ts';
import { WriteLock } from './process/write-lock.ts';
import { openRepository, type Limits, type Policy, type Repository } from './repository.ts';
import { ObjectReader } from './process/object-reader.ts';

/** Returns whether the repository with the top directory `top` may run the programs that its configuration names. */
export type TrustPredicate = (top: string) => boolean;

/** The roots, signal and byte limit of one call. */
export interface CallScope {
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** Maximum size of the result in bytes; defaults to the limit of the server. */
  readonly maxBytes?: number;
}

/** An examined repository that a call may open. */
interface OpenableRepository {
  readonly examined: ExaminedRepository;
  readonly shown: string;
  readonly isTrusted: boolean;
}

/** Finds, examines and opens the repositories inside the roots. */
export class Repositories {
  readonly #allowed: AllowedDirectories;
  readonly #git: GitProgram;
  readonly #guard: Guard;
  readonly #objectReaders: ObjectReaders;
  readonly #pinned = new PinnedConfigurations();
  readonly #options: Limits & Policy;
  readonly #locks = new Map<string, WriteLock>();
  readonly #trusts: TrustPredicate;
  readonly #shared = new WeakMap<Roots, SharedTurn<OpenableRepository>>();
  /** Path of each opened repository by id, because a caller may name a repository that the search does not find. */
  readonly #openedPaths = new Map<string, string>();

  /** @param directories directories of the operator; if empty, the directories of each call count as allowed from then on */
  constructor(options: Limits & Policy, trusts: TrustPredicate, directories: Roots['directories'] = []) {
    this.#options = options;
    this.#trusts = trusts;
    this.#allowed = new AllowedDirectories(directories);
    this.#git = new GitProgram(this.#allowed);
    this.#guard = new Guard(this.#git, this.#allowed);
    this.#objectReaders = new ObjectReaders(this.#git);
  }

  /** Restrictions that the operator configured. */
  get policy(): Policy {
    return this.#options;
  }

  /** @throws ToolError GIT_NOT_FOUND, GIT_TOO_OLD */
  gitVersion(): Promise<string> {
    return this.#git.version();
  }

  /** Returns the paths of directories inside the roots that look like repositories. They are not examined. */
  async findCandidates({ directories }: Roots): Promise<readonly string[]> {
    return [...new Set((await Promise.all(directories.map(findRepositories))).flat())];
  }

  /**
   * Opens the repository that contains a directory. If no directory is given, opens the only repository inside the roots.
   *
   * Before any other command runs in the repository, the guard verifies that all parts of the repository are inside the roots.
   * Unless the operator trusts the repository, the guard also verifies that its configuration starts no programs.
   *
   * @throws ToolError NOT_A_REPO, NOT_DIRECTORY, PATH_OUTSIDE_ROOTS, REPO_UNTRUSTED, GIT_NOT_FOUND, GIT_TOO_OLD,
   * INVALID_ARGUMENTS if no directory is given and the roots contain several repositories, and the errors of
   * `Roots.resolveExisting`
   */
  async open(given: string | undefined, { roots, signal, maxBytes }: CallScope): Promise<Repository> {
    this.#allowed.add(roots.directories);
    const { examined, shown, isTrusted } = await this.#examineOnce(given, { roots, signal }).catch((error: unknown) => {
      throw explainNarrowing(error, roots);
    });
    const { layout, configuration } = examined;
    // A trusted repository may start programs, so it keeps its own configuration. Otherwise the checked configuration is pinned.
    const bindTo = isTrusted ? bindToPaths : (place: RepositoryLayout) => this.#pinned.bind(place, configuration);
    const binding = bindTo(layout);
    const writeLock = this.#locks.get(layout.commonDir) ?? new WriteLock();
    this.#locks.set(layout.commonDir, writeLock);
    const repository = openRepository(this.#git, layout, {
      shown,
      limits: { ...this.#options, ...(maxBytes !== undefined && { maxBytes }) },
      policy: this.#options,
      isTrusted,
      signal,
      writeLock,
      // Reading objects needs no work tree. With a work tree, git would change to the directory of the work tree.
      objects: this.#objectReaders.readerFor(examined, bindTo({ ...layout, isBare: true })),
      binding,
      resolveInsideRoots: (directory) => resolveInside(directory, roots),
      openPeer: (directory) => this.#openPeer(directory, { roots, signal }),
    });
    this.#openedPaths.set(repository.id, shown);
    return repository;
  }

  /**
   * Creates a temporary directory for a new repository. {@link NewRepository.save} moves the complete repository to its target.
   *
   * @throws ToolError the errors of {@link createRepository}
   */
  createNew(target: NewRepositoryTarget, { roots, signal }: CallScope): Promise<NewRepository> {
    this.#allowed.add(roots.directories);
    const [git, pinned] = [this.#git, this.#pinned];
    const copyUser = async (directory: string): Promise<UserCopy | undefined> =>
      this.#trusts(directory)
        ? undefined
        : copyUserConfiguration(directory, { git, pinned, isWritable: this.#allowed.createPredicate(directory), signal });
    return createRepository(target, {
      git,
      roots,
      signal,
      policy: this.#options,
      copyUser,
      openPeer: (directory) => this.#openPeer(directory, { roots, signal }),
    });
  }

  /**
   * Opens the repository of an id.
   *
   * @throws ToolError NOT_FOUND
   */
  async byId(id: string, scope: CallScope): Promise<Repository> {
    const opened = this.#openedPaths.get(id);
    const again = opened === undefined ? [] : await keepOpened([this.open(opened, scope)], scope);
    const found = [...again, ...(again.length === 0 ? await this.all(scope) : [])].find((repository) => repository.id === id);
    if (found !== undefined) return found;
    throw new ToolError('NOT_FOUND', `the allowed directories contain no repository ${quoteInput(id)}`);
  }

  /** Opens the repositories that the search finds in the roots. Repositories that cannot be opened are omitted. */
  async all(scope: CallScope): Promise<readonly Repository[]> {
    const candidates = await this.findCandidates(scope.roots);
    return keepOpened(
      candidates.map((top) => this.open(top, scope)),
      scope,
    );
  }

  /** Closes the object readers and removes the copies of configurations. */
  close(): void {
    this.#objectReaders.close();
    this.#pinned.close();
  }

  async #openPeer(directory: string, scope: CallScope): Promise<Repository> {
    const peer = await this.open(directory, scope);
    const { real } = await scope.roots.resolveExisting(directory);
    if (real === peer.layout.top) return peer;
    throw new ToolError('INVALID_URL', `${quoteInput(directory)} is not the top directory of a repository`);
  }

  async #examineOnce(given: string | undefined, { roots, signal }: CallScope): Promise<OpenableRepository> {
    const named = given ?? (await this.#findOnly(roots));
    const openings = this.#shared.get(roots) ?? new SharedTurn();
    this.#shared.set(roots, openings);
    return openings.run(named, () => this.#examine(named, { roots, signal }));
  }

  async #examine(named: string, { roots, signal }: CallScope): Promise<OpenableRepository> {
    const directory = await roots.resolveExisting(named);
    if (!directory.facts.isDirectory()) throw new ToolError('NOT_DIRECTORY', `${quoteInput(named)} is not a directory`);
    const ceiling = findCeiling(directory, roots);
    const examined = await this.#guard.examine({ directory: directory.real, given: named, ceiling, signal });
    const { top } = examined.layout;
    const shown = directory.real === top ? directory.shown : await resolveShownTop(top, named, roots);
    await requireInside(examined, named, roots);
    const isTrusted = this.#trusts(top);
    if (!isTrusted) await requireTrust(examined, named, roots);
    return { examined, shown, isTrusted };
  }

  async #findOnly(roots: Roots): Promise<string> {
    // Without directories, this call throws ROOTS_REQUIRED, or an error that explains that the client allows no directory.
    if (roots.directories.length === 0) await roots.resolveExisting('.');
    const candidates = await this.findCandidates(roots);
    const [first, second] = candidates;
    if (first === undefined) throw await explainNoRepository(roots);
    if (second === undefined) return first;
    const least = candidates.length < MAX_REPOSITORIES ? '' : 'at least ';
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `repo_path is required, because the allowed directories contain ${least}${candidates.length} repositories`,
      {
        hint: candidates.map(escapeInvisible).join('\n'),
        data: { candidates },
      },
    );
  }
}

/** Returns the error for roots without repositories, or the error of the only allowed directory if it cannot be used. */
async function explainNoRepository(roots: Roots): Promise<unknown> {
  const directories = roots.directories.map((root) => root.path);
  const [only = '.', ...others] = directories;
  const unavailable =
    others.length > 0
      ? undefined
      : await roots.resolveExisting(only).then(
          () => undefined,
          (error: unknown) => error,
        );
  return unavailable ?? notARepositoryError(directories.join(', '));
}

function resolveInside(directory: string, roots: Roots): Promise<string | undefined> {
  return roots.resolveExisting(directory).then(
    ({ real }) => real,
    () => undefined,
  );
}

/** Codes of errors that the client's roots may cause, because roots can exclude a part of a repository. */
const NARROWING_CODES: ReadonlySet<string> = new Set(['NOT_A_REPO', 'PATH_OUTSIDE_ROOTS']);

/** Adds an explanation to an error that may be caused by the client's roots. Returns all other errors unchanged. */
function explainNarrowing(error: unknown, { narrowing }: Roots): unknown {
  if (narrowing === undefined || narrowing.outcome === 'kept') return error;
  if (!ToolError.is(error) || !NARROWING_CODES.has(error.code)) return error;
  const { code, message, hint = '', data } = error;
  if (hint.includes(narrowing.text)) return error;
  return new ToolError(code, message, { hint: [hint, narrowing.text].join('\n'), cause: error, ...(data && { data }) });
}

/** Returns the parent of the outermost root that contains a directory. Git does not look for repositories in this parent. */
function findCeiling({ real }: VerifiedPath, { directories }: Roots): string {
  const holders = directories.map(({ realPath }) => realPath).filter((root) => real === root || real.startsWith(root + path.sep));
  const outermost = holders.sort((one, other) => one.length - other.length)[0];
  return path.dirname(outermost ?? real);
}

/** Returns the repositories that could be opened, and omits all others. */
async function keepOpened(opening: readonly Promise<Repository>[], { signal }: CallScope): Promise<readonly Repository[]> {
  const opened = await Promise.allSettled(opening);
  signal.throwIfAborted();
  return opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Shares the outcome of work between all callers in one turn of the event loop, so that all of them see the same state. */
export class SharedTurn<Outcome> {
  readonly #running = new Map<string, Promise<Outcome>>();

  /**
   * Runs work, or waits for work with the same key that another caller started in this turn. If the other work fails, for example
   * because its caller was cancelled, runs the given work.
   */
  run(key: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const begun = this.#running.get(key);
    if (begun !== undefined) return begun.catch(work);
    if (this.#running.size === 0) setImmediate(() => this.#running.clear());
    const own = work();
    this.#running.set(key, own);
    return own;
  }
}

/** Maximum number of object readers. If more exist, the least recently used idle reader is closed. */
const MAX_READERS = 8;

/** The part of an examined repository that a reader needs. */
interface ReadableRepository {
  readonly layout: { readonly gitDir: string };
  readonly stamp: string;
}

interface CachedReader {
  readonly reader: ObjectReader;
  readonly stamp: string;
}

/** One object reader per repository. A call replaces the reader if the guard found changes since the last call. */
export class ObjectReaders {
  readonly #git: GitProgram;
  /** Readers by git directory, the least recently used reader first. */
  readonly #readers = new Map<string, CachedReader>();

  constructor(git: GitProgram) {
    this.#git = git;
  }

  /**
   * Returns the reader of a repository that the guard has examined.
   *
   * @param env environment variables that bind git to the repository
   */
  readerFor({ layout, stamp: examined }: ReadableRepository, env: Readonly<Record<string, string>>): ObjectReader {
    const { gitDir } = layout;
    const stamp = examined + Object.values(env).join();
    const cached = this.#readers.get(gitDir);
    this.#readers.delete(gitDir);
    if (cached?.stamp === stamp) {
      this.#readers.set(gitDir, cached);
      return cached.reader;
    }
    cached?.reader.retire();
    const command = ['cat-file', '--batch-command', '-z', '--buffer'];
    const reader = new ObjectReader(() => this.#git.start(command, { cwd: gitDir, env }));
    this.#readers.set(gitDir, { reader, stamp });
    this.#evict();
    return reader;
  }

  /** Closes all readers. */
  close(): void {
    for (const { reader } of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #evict(): void {
    for (const [gitDir, { reader }] of this.#readers) {
      if (this.#readers.size <= MAX_READERS) return;
      if (!reader.isIdle) continue;
      reader.close();
      this.#readers.delete(gitDir);
    }
  }
}
