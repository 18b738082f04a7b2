import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { quoted } from '../text/visible.ts';
import { failureOf } from './failures.ts';
import type { UserCopy } from './pinned-configurations.ts';
import type { GitProgram } from './program.ts';
import type { CommandOptions, Policy } from './repository.ts';
import type { Output } from './runner.ts';

/** Where a repository is to be. */
export interface Target {
  readonly path: string;
  /** It may be a directory with files in it, which get a `.git` beside them; otherwise nothing or an empty directory is there. */
  readonly around: boolean;
}

interface Ground {
  readonly git: GitProgram;
  readonly roots: Roots;
  readonly signal: AbortSignal;
  readonly policy: Policy;
  /** Copies the user's configuration for a repository in an empty directory; `undefined` if the repository will be trusted. */
  readonly copyUser: (directory: string) => Promise<UserCopy | undefined>;
}

/** Where it is made, and where it goes when it is whole. */
interface Workshop {
  readonly directory: OpenDirectory;
  /** What is moved, by its name in the workshop; the workshop itself if empty. */
  readonly made: string;
  /** What it is called in the directory then. */
  readonly name: string;
}

/** The temporary directory of a new repository. */
interface Temporary {
  readonly name: string;
  readonly real: string;
  readonly shown: string;
  readonly user: UserCopy | undefined;
}

const MAX_OUTPUT = 1_048_576;

/**
 * Makes room for a repository, in a directory of its own beside or in the target.
 *
 * @throws ToolError ALREADY_EXISTS, NOT_EMPTY, REPO_EXISTS, INVALID_PATH inside a git directory, and those of `Roots.placeToMove`
 */
export async function newRepository(target: Target, ground: Ground): Promise<NewRepository> {
  const workshop = await workshopFor(target, ground.roots);
  const temporary = `.mcp-${process.pid}-${crypto.randomUUID()}.tmp`;
  try {
    const { directory } = workshop;
    await requireNoGitDirectory((await ground.roots.existing(directory.shown)).real, target, ground);
    await directory.makeDirectory(temporary);
    const { real, shown } = await ground.roots.existing(path.join(directory.shown, temporary));
    return new NewRepository(ground, workshop, { name: temporary, real, shown, user: await userCopyIn(real, ground) });
  } catch (error) {
    await workshop.directory[Symbol.asyncDispose]();
    throw error;
  }
}

async function userCopyIn(directory: string, { copyUser }: Ground): Promise<UserCopy | undefined> {
  try {
    return await copyUser(directory);
  } catch (error) {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** A repository that is being made where nobody looks for it; one that is not saved goes, with all that is in it. */
export class NewRepository implements AsyncDisposable {
  readonly #ground: Ground;
  readonly #workshop: Workshop;
  readonly #temporary: Temporary;

  constructor(ground: Ground, workshop: Workshop, temporary: Temporary) {
    this.#ground = ground;
    this.#workshop = workshop;
    this.#temporary = temporary;
  }

  /** Path of the repository until it is saved, as clients see it. */
  get path(): string {
    return this.#temporary.shown;
  }

  get policy(): Policy {
    return this.#ground.policy;
  }

  /** Runs git in it, in the hardened environment; there is no repository's configuration yet. */
  async run(command: readonly string[], options: CommandOptions = {}): Promise<Output> {
    const { codes = [0], env, ...others } = options;
    const { real: cwd, user } = this.#temporary;
    const { git, signal } = this.#ground;
    const surroundings = { GIT_CEILING_DIRECTORIES: path.dirname(cwd), GIT_TEMPLATE_DIR: '', ...user?.env, ...env };
    const output = await git.run(command, { maxBytes: MAX_OUTPUT, ...others, cwd, env: surroundings, signal });
    if (codes.includes(output.code)) return output;
    throw failureOf(command[0] ?? '', output);
  }

  /** A command that changes nothing. */
  read(command: readonly string[], options?: CommandOptions): Promise<Output> {
    return this.run(command, options);
  }

  /**
   * Moves it to where it is to be.
   *
   * @returns its path as clients see it
   * @throws ToolError ALREADY_EXISTS if something is there meanwhile
   */
  async save(): Promise<string> {
    this.#ground.signal.throwIfAborted();
    const { directory, made, name } = this.#workshop;
    const { name: temporary } = this.#temporary;
    if (made === '') {
      if ((await directory.facts(name)) !== undefined) await directory.removeDirectory(name);
      await directory.renameNew(temporary, directory, name);
      return path.join(directory.shown, name);
    }
    await using workshop = await directory.openDirectory(temporary);
    await workshop.renameNew(made, directory, name);
    return directory.shown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#temporary.user?.[Symbol.dispose]();
    await rm(this.#temporary.real, { recursive: true, force: true, maxRetries: 3 });
    await this.#workshop.directory[Symbol.asyncDispose]();
  }
}

async function workshopFor({ path: given, around }: Target, roots: Roots): Promise<Workshop> {
  return around && (await isThere(given, roots)) ? workshopIn(given, roots) : workshopBeside(given, roots);
}

async function workshopIn(given: string, roots: Roots): Promise<Workshop> {
  const directory = await roots.openDirectory(given);
  if ((await directory.facts('.git')) === undefined) return { directory, made: '.git', name: '.git' };
  await directory[Symbol.asyncDispose]();
  throw new ToolError('REPO_EXISTS', `${quoted(given)} has a repository already`, { hint: 'git_status shows it' });
}

async function workshopBeside(given: string, roots: Roots): Promise<Workshop> {
  const { directory, name, facts } = await roots.placeToMove(given);
  try {
    if (facts?.isDirectory() === true) await requireEmpty(directory, name, given);
    else if (facts !== undefined) throw taken(given, 'something that is no directory');
    return { directory, made: '', name };
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw error;
  }
}

async function requireEmpty(directory: OpenDirectory, name: string, given: string): Promise<void> {
  await using existing = await directory.openDirectory(name);
  const first = await existing.entries().next();
  if (first.done !== true) throw taken(given, 'a directory that is not empty');
}

async function isThere(given: string, roots: Roots): Promise<boolean> {
  return roots.existing(given).then(
    () => true,
    (error: unknown) => {
      if (ToolError.is(error) && error.code === 'NOT_FOUND') return false;
      throw error;
    },
  );
}

/** What is written into a git directory, such as a hook, is run by the next git there. */
async function requireNoGitDirectory(real: string, { path: given }: Target, { git, roots, signal }: Ground): Promise<void> {
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
    throw new ToolError('INVALID_PATH', `${quoted(given)} is part of a git directory`);
}

function taken(given: string, what: string): ToolError {
  return new ToolError('ALREADY_EXISTS', `${quoted(given)} is ${what}`, { hint: 'choose a path where nothing is' });
}
