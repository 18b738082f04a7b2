import type { ChildProcess } from 'node:child_process';
import { isUtf8 } from 'node:buffer';

import { ToolError } from '@org/mcp-decorators';

import { encodePath } from '../parse/path-bytes.ts';
import { AllowedDirectories } from './allowed-directories.ts';
import {
  buildEnvironment,
  filterSearchPath,
  keepAllowedVariables,
  readEnvironment,
  type Configuration,
  type Variables,
} from './environment.ts';
import { startError, startGroup, runProcess, type GitOutput, type RunOptions } from './run-process.ts';

/**
 * Oldest supported version. Git 2.38 introduced `safe.bareRepository`, which makes git ignore bare repositories that are embedded
 * in a work tree.
 */
const OLDEST = { major: 2, minor: 38 };

/** The environment of git, computed for the current set of allowed directories. */
interface CachedEnvironment {
  readonly size: number;
  readonly ambient: Variables;
  readonly environment: Readonly<Record<string, string>>;
}

/** The git executable of this machine. The search path of git and of the programs that it starts excludes the allowed directories. */
export class GitProgram {
  readonly #allowed: AllowedDirectories;
  #cached: CachedEnvironment | undefined;
  #version: Promise<string> | undefined;

  constructor(allowed: AllowedDirectories = new AllowedDirectories()) {
    this.#allowed = allowed;
  }

  /**
   * Runs git in the hardened environment.
   *
   * @param args arguments that this server chose, with resolved object names and paths instead of text from callers
   * @param options `env` overrides the hardened environment, and `config` the hardened configuration
   * @throws ToolError GIT_TOO_OLD, INVALID_ARGUMENTS, and the errors of {@link runProcess}
   */
  async run(
    args: readonly string[],
    { env, config, ...options }: RunOptions & { readonly config?: Configuration },
  ): Promise<GitOutput> {
    await Promise.all([this.version(), refuseUnsafe(args)]);
    const { ambient, environment } = this.#current;
    const hardened = config === undefined ? environment : buildEnvironment(ambient, config);
    const [program, given] = buildCommand(['--no-pager', ...args]);
    return runProcess(program, given, { ...options, env: { ...hardened, ...env } });
  }

  /** Returns the hardened environment. @param config overrides the hardened configuration */
  environment(config: Configuration): Readonly<Record<string, string>> {
    return buildEnvironment(this.#current.ambient, config);
  }

  /** Starts a process that reads requests from stdin, for a repository that passed the guard. */
  start(args: readonly string[], { cwd, env }: Pick<RunOptions, 'cwd' | 'env'>): ChildProcess {
    return startGroup('git', ['--no-pager', ...args], {
      cwd,
      env: { ...this.#current.environment, GIT_OPTIONAL_LOCKS: '0', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  }

  /**
   * Returns the version of git. After the first success, the version is not read again.
   *
   * @throws ToolError GIT_NOT_FOUND, GIT_TOO_OLD
   */
  version(): Promise<string> {
    this.#version ??= readVersion(keepAllowedVariables(this.#current.ambient)).catch((error: unknown) => {
      this.#version = undefined;
      throw error;
    });
    return this.#version;
  }

  get #current(): CachedEnvironment {
    const { size } = this.#allowed;
    if (this.#cached?.size === size) return this.#cached;
    const ambient = filterSearchPath(readEnvironment(), (directory) => !this.#allowed.contains(directory));
    this.#cached = { size, ambient, environment: buildEnvironment(ambient) };
    return this.#cached;
  }
}

// The library is loaded on the first call, because listing tools does not need it.
async function readVersion(env: Readonly<Record<string, string>>): Promise<string> {
  const { simpleGit } = await import('simple-git');
  const { installed, major, minor, patch } = await simpleGit().env(env).version();
  if (!installed) throw startError();
  const version = `${major}.${minor}.${patch}`;
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return version;
  throw new ToolError(
    'GIT_TOO_OLD',
    `git ${version} is too old: it cannot ignore bare repositories that are embedded in a work tree`,
    {
      hint: `install git ${OLDEST.major}.${OLDEST.minor} or newer`,
    },
  );
}

let argvParser: Promise<typeof import('@simple-git/argv-parser')> | undefined;

/** Checks arguments against simple-git's list of options that start programs, as a second line of defence. */
async function refuseUnsafe(args: readonly string[]): Promise<void> {
  argvParser ??= import('@simple-git/argv-parser');
  const { parseArgv } = await argvParser;
  const end = args.indexOf('--end-of-options');
  const { vulnerabilities } = parseArgv(...args.slice(0, end === -1 ? args.length : end));
  if (vulnerabilities.length > 0) throw new ToolError('INVALID_ARGUMENTS', 'an argument is a git option that starts programs');
}

/** A program and its arguments. */
type Command = readonly [program: string, args: readonly string[]];

/**
 * Builds the command line of git. Arguments after `--` and the value of `--skip-to` are paths as {@link decodePath} writes them.
 *
 * Node.js passes arguments as UTF-8 only. For other bytes, a shell decodes them from octal numbers and then executes git. The
 * script for the shell contains no other text from the arguments.
 */
function buildCommand(args: readonly string[]): Command {
  const end = args.indexOf('--');
  const all = args.map((arg, position) => (end !== -1 && position > end ? encodePath(arg) : encodeArgument(arg)));
  if (all.every((bytes) => isUtf8(bytes))) return ['git', all.map((bytes) => bytes.toString('utf8'))];
  const plain = all.filter((bytes) => isUtf8(bytes)).map((bytes) => bytes.toString('utf8'));
  return ['sh', ['-c', buildShellScript(all), 'git', ...plain]];
}

/** The only option whose value is a path and may contain bytes that are not UTF-8. */
const SKIP_TO = '--skip-to=';

function encodeArgument(arg: string): Buffer {
  return arg.startsWith(SKIP_TO)
    ? Buffer.concat([Buffer.from(SKIP_TO), encodePath(arg.slice(SKIP_TO.length))])
    : Buffer.from(arg);
}

/** Builds the script of the shell. Arguments in UTF-8 are not part of the script, but positional parameters in their order. */
function buildShellScript(args: readonly Buffer[]): string {
  const variables: string[] = [];
  let plain = 0;
  const values = args.map((bytes) => {
    if (isUtf8(bytes)) return `"\${${(plain += 1)}}"`;
    // Command substitution removes trailing newlines, so a final `_` protects them.
    variables.push(`p${variables.length}=$(printf '${escapeOctal(bytes)}_')`);
    return `"\${p${variables.length - 1}%_}"`;
  });
  return `${variables.join('; ')}; exec git ${values.join(' ')}`;
}

function escapeOctal(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
