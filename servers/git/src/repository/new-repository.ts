import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { quoteInput } from '../text/visible.ts';
import type { UserCopy } from './guard/pinned-configurations.ts';
import { explainGitFailure } from './process/failures.ts';
import type { GitProgram } from './process/git-program.ts';
import type { GitOutput } from './process/run-process.ts';
import type { CommandOptions, Policy, Repository } from './repository.ts';

/** The location of a new repository. */
export interface NewRepositoryTarget {
  readonly path: string;
  /** Whether the directory may contain files, beside which `.git` is created. Otherwise the directory must be empty or not exist. */
  readonly allowsFiles: boolean;
}

interface NewRepositoryDependencies {
  readonly git: GitProgram;
  readonly roots: Roots;
  readonly signal: AbortSignal;
  readonly policy: Policy;
  /**
   * Copies the user's configuration for a new repository in an empty directory. Resolves to `undefined` if the repository will
   * be trusted, and therefore needs no copy.
   */
  readonly copyUser: (directory: string) => Promise<UserCopy | undefined>;
  /** Opens the repository whose top is a directory inside the roots. */
  readonly openPeer: (directory: string) => Promise<Repository>;
}

/** The directory in which the temporary directory is created, and the entry in that directory that becomes the repository. */
interface Destination {
  readonly directory: OpenDirectory;
  /** Name of the entry of the temporary directory that is moved, such as `.git`; empty to move the temporary directory itself. */
  readonly movedName: string;
  /** Name that the moved entry gets in `directory`. */
  readonly name: string;
}

/** The temporary directory of a new repository. */
interface TemporaryDirectory {
  readonly name: string;
  readonly real: string;
  readonly shown: string;
  readonly user: UserCopy | undefined;
}

const MAX_OUTPUT = 1_048_576;

/**
 * Creates a temporary directory for a new repository, inside the target or beside it.
 *
 * @throws ToolError ALREADY_EXISTS, REPO_EXISTS, INVALID_PATH inside a git directory, REPO_UNTRUSTED if the user's configuration
 * is too large, and the errors of `Roots.openDirectory` and `Roots.findEntryToMove`
 */
export async function createRepository(
  target: NewRepositoryTarget,
  dependencies: NewRepositoryDependencies,
): Promise<NewRepository> {
  const destination = await chooseDestination(target, dependencies.roots);
  const temporary = `.mcp-${process.pid}-${crypto.randomUUID()}.tmp`;
  try {
    const { directory } = destination;
    await requireNoGitDirectory((await dependencies.roots.resolveExisting(directory.shown)).real, target, dependencies);
    await directory.makeDirectory(temporary);
    const { real, shown } = await dependencies.roots.resolveExisting(path.join(directory.shown, temporary));
    return new NewRepository(dependencies, destination, {
      name: temporary,
      real,
      shown,
      user: await copyUserOrRemove(real, dependencies),
    });
  } catch (error) {
    await destination.directory[Symbol.asyncDispose]();
    throw error;
  }
}

async function copyUserOrRemove(directory: string, { copyUser }: NewRepositoryDependencies): Promise<UserCopy | undefined> {
  try {
    return await copyUser(directory);
  } catch (error) {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** A repository in a temporary directory. If it is not saved, disposal removes the directory. */
export class NewRepository implements AsyncDisposable {
  readonly #dependencies: NewRepositoryDependencies;
  readonly #destination: Destination;
  readonly #temporary: TemporaryDirectory;

  constructor(dependencies: NewRepositoryDependencies, destination: Destination, temporary: TemporaryDirectory) {
    this.#dependencies = dependencies;
    this.#destination = destination;
    this.#temporary = temporary;
  }

  /** Path of the temporary directory, as clients see it. */
  get path(): string {
    return this.#temporary.shown;
  }

  get policy(): Policy {
    return this.#dependencies.policy;
  }

  get openPeer(): NewRepositoryDependencies['openPeer'] {
    return this.#dependencies.openPeer;
  }

  /** Runs git in the temporary directory, in the hardened environment. No configuration of a repository exists yet. */
  async run(command: readonly string[], options: CommandOptions = {}): Promise<GitOutput> {
    const { codes = [0], env, ...others } = options;
    const { real: cwd, user } = this.#temporary;
    const { git, signal } = this.#dependencies;
    const surroundings = { GIT_CEILING_DIRECTORIES: path.dirname(cwd), GIT_TEMPLATE_DIR: '', ...user?.env, ...env };
    const output = await git.run(command, { maxBytes: MAX_OUTPUT, ...others, cwd, env: surroundings, signal });
    if (codes.includes(output.code)) return output;
    throw explainGitFailure(command[0] ?? '', output);
  }

  /** Runs a command that does not change the new repository. */
  read(command: readonly string[], options?: CommandOptions): Promise<GitOutput> {
    return this.run(command, options);
  }

  /**
   * Moves the repository to its target.
   *
   * @returns the path of the repository as clients see it
   * @throws ToolError ALREADY_EXISTS or NOT_EMPTY if another process created or filled the target first
   */
  async save(): Promise<string> {
    this.#dependencies.signal.throwIfAborted();
    const { directory, movedName, name } = this.#destination;
    const { name: temporary } = this.#temporary;
    if (movedName === '') {
      if ((await directory.facts(name)) !== undefined) await directory.removeDirectory(name);
      await directory.renameNew(temporary, directory, name);
      return path.join(directory.shown, name);
    }
    await using destination = await directory.openDirectory(temporary);
    await destination.renameNew(movedName, directory, name);
    return directory.shown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#temporary.user?.[Symbol.dispose]();
    await rm(this.#temporary.real, { recursive: true, force: true, maxRetries: 3 });
    await this.#destination.directory[Symbol.asyncDispose]();
  }
}

async function chooseDestination({ path: given, allowsFiles }: NewRepositoryTarget, roots: Roots): Promise<Destination> {
  return allowsFiles && (await pathExists(given, roots)) ? destinationInside(given, roots) : destinationBeside(given, roots);
}

async function destinationInside(given: string, roots: Roots): Promise<Destination> {
  const directory = await roots.openDirectory(given);
  if ((await directory.facts('.git')) === undefined) return { directory, movedName: '.git', name: '.git' };
  await directory[Symbol.asyncDispose]();
  throw new ToolError('REPO_EXISTS', `${quoteInput(given)} already contains a repository`, {
    hint: 'git_status shows the state of the repository',
  });
}

async function destinationBeside(given: string, roots: Roots): Promise<Destination> {
  const { directory, name, facts } = await roots.findEntryToMove(given);
  try {
    if (facts?.isDirectory() === true) await requireEmpty(directory, name, given);
    else if (facts !== undefined) throw alreadyExistsError(given, 'not a directory');
    return { directory, movedName: '', name };
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw error;
  }
}

async function requireEmpty(directory: OpenDirectory, name: string, given: string): Promise<void> {
  await using existing = await directory.openDirectory(name);
  if (!(await existing.isEmpty())) throw alreadyExistsError(given, 'a directory that is not empty');
}

async function pathExists(given: string, roots: Roots): Promise<boolean> {
  return roots.resolveExisting(given).then(
    () => true,
    (error: unknown) => {
      if (ToolError.is(error) && error.code === 'NOT_FOUND') return false;
      throw error;
    },
  );
}

/** Requires that the target is not inside a git directory, because git runs files of a git directory, such as hooks. */
async function requireNoGitDirectory(
  real: string,
  { path: given }: NewRepositoryTarget,
  { git, roots, signal }: NewRepositoryDependencies,
): Promise<void> {
  const top = roots.directories.map(({ realPath }) => path.dirname(realPath)).filter((above) => real.startsWith(above));
  const env = { GIT_CEILING_DIRECTORIES: top.join(path.delimiter) };
  const { code, stdout, stderr } = await git.run(['rev-parse', '--is-inside-git-dir'], {
    cwd: real,
    env,
    signal,
    maxBytes: 1024,
  });
  const isInside = code === 0 ? stdout.toString('utf8').trim() === 'true' : !stderr.includes('not a git repository');
  if (isInside || /(?:^|[\\/])\.git(?:[\\/]|$)/i.test(path.join(real, path.basename(given))))
    throw new ToolError('INVALID_PATH', `${quoteInput(given)} is inside a git directory`);
}

function alreadyExistsError(given: string, what: string): ToolError {
  return new ToolError('ALREADY_EXISTS', `${quoteInput(given)} is ${what}`, { hint: 'choose a path that does not exist' });
}
