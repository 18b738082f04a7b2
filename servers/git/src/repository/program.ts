import type { ChildProcess } from 'node:child_process';

import { ToolError } from '@org/mcp-decorators';

import { AllowedDirectories } from './allowed-directories.ts';
import { gitCommand } from './git-command.ts';
import { startGroup } from './process-group.ts';
import {
  ambientEnvironment,
  bareEnvironment,
  gitEnvironment,
  withSearchPath,
  type Configuration,
  type Variables,
} from './environment.ts';
import { runProcess, type Output, type RunOptions } from './runner.ts';

/** `safe.bareRepository`, which keeps a planted bare repository from being found, came with 2.38. */
const OLDEST = { major: 2, minor: 38 };

/** A run of git; `env` is added to the hardened environment, `config` to the hardened configuration. */
export interface GitRun extends Omit<RunOptions, 'env'> {
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Configuration;
}

/** The environment for a number of allowed directories. */
interface Surroundings {
  readonly size: number;
  readonly ambient: Variables;
  readonly environment: Readonly<Record<string, string>>;
}

/** The git of this machine. Neither git nor a program that git starts is looked for in the allowed directories. */
export class GitProgram {
  readonly #allowed: AllowedDirectories;
  #surroundings: Surroundings | undefined;
  #version: Promise<string> | undefined;

  constructor(allowed: AllowedDirectories = new AllowedDirectories()) {
    this.#allowed = allowed;
  }

  /**
   * Runs git in the hardened environment. Its arguments are those of this folder: names from outside never get here as such.
   *
   * @throws ToolError GIT_TOO_OLD, INVALID_ARGUMENTS, and those of {@link runProcess}
   */
  async run(args: readonly string[], { env, config, ...options }: GitRun): Promise<Output> {
    await Promise.all([this.version(), refuseUnsafe(args)]);
    const { ambient, environment } = this.#current;
    const hardened = config === undefined ? environment : gitEnvironment(ambient, config);
    const [program, given] = gitCommand(['--no-pager', ...args]);
    return runProcess(program, given, { ...options, env: { ...hardened, ...env } });
  }

  /** Starts a command that goes on reading what it is to do, for a repository that passed the guard. */
  start(args: readonly string[], { cwd, env }: Required<Pick<GitRun, 'cwd' | 'env'>>): ChildProcess {
    const stdio = ['pipe', 'pipe', 'ignore'] as const;
    return startGroup('git', ['--no-pager', ...args], {
      cwd,
      env: { ...this.#current.environment, GIT_OPTIONAL_LOCKS: '0', ...env },
      stdio,
    });
  }

  /**
   * git's version, asked once.
   *
   * @throws ToolError GIT_NOT_FOUND, GIT_TOO_OLD
   */
  version(): Promise<string> {
    this.#version ??= readVersion(bareEnvironment(this.#current.ambient)).catch((error: unknown) => {
      this.#version = undefined;
      throw error;
    });
    return this.#version;
  }

  get #current(): Surroundings {
    const { size } = this.#allowed;
    if (this.#surroundings?.size === size) return this.#surroundings;
    const ambient = withSearchPath(ambientEnvironment(), (directory) => !this.#allowed.contains(directory));
    this.#surroundings = { size, ambient, environment: gitEnvironment(ambient) };
    return this.#surroundings;
  }
}

// Loaded when first needed: a server that is only listed or introduced does not pay for it.
async function readVersion(env: Readonly<Record<string, string>>): Promise<string> {
  const { simpleGit } = await import('simple-git');
  const { installed, major, minor, patch } = await simpleGit().env(env).version();
  if (!installed) {
    throw new ToolError('GIT_NOT_FOUND', 'git could not be started', {
      hint: 'install git, or start the server with a PATH that finds it outside the allowed directories',
    });
  }
  const version = `${major}.${minor}.${patch}`;
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return version;
  throw new ToolError('GIT_TOO_OLD', `git ${version} cannot be kept from running what a repository plants`, {
    hint: `install git ${OLDEST.major}.${OLDEST.minor} or newer`,
  });
}

let argvParser: Promise<typeof import('@simple-git/argv-parser')> | undefined;

/** A second pair of eyes on our own arguments: simple-git's list of options that start programs. */
async function refuseUnsafe(args: readonly string[]): Promise<void> {
  argvParser ??= import('@simple-git/argv-parser');
  const { parseArgv } = await argvParser;
  const end = args.indexOf('--end-of-options');
  const { vulnerabilities } = parseArgv(...args.slice(0, end === -1 ? args.length : end));
  if (vulnerabilities.length > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'an argument looks like an option of git that starts programs');
}
