import { createHash } from 'node:crypto';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../text/visible.ts';
import { bindToPaths, copyBackShallow } from './guard/pinned-configurations.ts';
import type { RepositoryLayout } from './guard/repository-layout.ts';
import { identifyDirectories } from './guard/stamp.ts';
import type { ObjectInfo, StoredObject } from './parse/object-responses.ts';
import { encodePath } from './parse/path-bytes.ts';
import type { Configuration } from './process/environment.ts';
import { explainGitFailure } from './process/failures.ts';
import type { GitProgram } from './process/git-program.ts';
import type { ObjectReader } from './process/object-reader.ts';
import type { GitOutput, RunOptions } from './process/run-process.ts';
import type { WriteLock } from './process/write-lock.ts';

/** Limits for one call: number of bytes, list entries and commits of its result, and size of a patch. */
export interface Limits {
  readonly maxBytes: number;
  readonly maxEntries: number;
  readonly maxCommits: number;
  /** Maximum size of a patch from a caller, in bytes. */
  readonly maxPatchBytes: number;
}

/** Restrictions that the operator configured. */
export interface Policy {
  readonly allowHooks: boolean;
  readonly protectedBranches: readonly string[];
  readonly remoteHosts?: readonly string[];
  /** Returns whether the server offers a tool to its clients. Default: every tool. */
  readonly offersTool?: (name: string) => boolean;
}

/**
 * Options for one git command.
 *
 * `env` overrides variables of the hardened environment. `maxBytes` is 64 MiB by default, and unlimited if `isEnough` is given.
 */
export interface CommandOptions extends Partial<Omit<RunOptions, 'cwd' | 'signal'>> {
  /** Exit codes that do not count as failures; only 0 by default. */
  readonly codes?: readonly number[];
  /** Overrides the hardened configuration. For a key that is `undefined`, git reads the user's and the repository's configuration. */
  readonly config?: Configuration;
}

/** Git commands that start no program with any configuration, except hooks for changes of references. */
export type AdministrativeCommand =
  | readonly ['branch' | 'config' | 'remote', ...string[]]
  | readonly ['worktree', 'list' | 'prune', ...string[]];

/** Default maximum size of the output of a command, in bytes. */
const MAX_OUTPUT = 67_108_864;

/** Creates a {@link Repository}. Only code in this folder may call this function, after the guard has examined the repository. */
export let openRepository: (git: GitProgram, layout: RepositoryLayout, scope: RepositoryScope) => Repository;

/** The data and functions that a {@link Repository} uses during one call. */
export interface RepositoryScope {
  /** Top of the work tree, as a path that clients know. */
  readonly shown: string;
  readonly limits: Limits;
  readonly policy: Policy;
  /** Whether the operator allows the repository's configuration to start programs. */
  readonly isTrusted: boolean;
  readonly signal: AbortSignal;
  /** Serializes all changes to the repository. */
  readonly writeLock: WriteLock;
  /** Reads objects of the repository; shared with other calls. */
  readonly objects: ObjectReader;
  /** Resolves the real path of a directory inside the roots, or `undefined` for any other directory. */
  readonly resolveInsideRoots: (directory: string) => Promise<string | undefined>;
  /** Opens the repository whose top is a directory inside the roots, as the other side of a transfer, such as a push. */
  readonly openPeer: (directory: string) => Promise<Repository>;
  /** Environment variables that bind git to the repository and to the checked configuration. */
  readonly binding: Readonly<Record<string, string>>;
}

/**
 * A repository that passed the guard, for the duration of one call. Tools run git in an existing repository only through this
 * class.
 *
 * All commands end when the call is cancelled or times out.
 */
export class Repository {
  readonly #git: GitProgram;
  readonly #layout: RepositoryLayout;
  readonly #scope: RepositoryScope;
  readonly #identity: string;

  private constructor(git: GitProgram, layout: RepositoryLayout, scope: RepositoryScope) {
    this.#git = git;
    this.#layout = layout;
    this.#scope = scope;
    this.#identity = identifyDirectories(listDirectories(layout));
  }

  static {
    openRepository = (git, layout, scope) => new Repository(git, layout, scope);
  }

  /** Id of the repository, stable across restarts: the top directory's name and 8 hex digits of a hash of the git directory's real path. */
  get id(): string {
    return `${this.name}-${createHash('sha256').update(this.#layout.gitDir).digest('hex').slice(0, 8)}`;
  }

  /** Name of the top directory. */
  get name(): string {
    return path.basename(this.#layout.top);
  }

  /** Path of the top directory as clients see it: the root as it was given, and the rest of the path. */
  get shown(): string {
    return this.#scope.shown;
  }

  get limits(): Limits {
    return this.#scope.limits;
  }

  get policy(): Policy {
    return this.#scope.policy;
  }

  /** Whether the operator allows the repository's configuration to start programs. */
  get isTrusted(): boolean {
    return this.#scope.isTrusted;
  }

  /** Aborted when the call is cancelled or times out. */
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** Real paths of the repository, for calls to `node:fs` only. */
  get layout(): RepositoryLayout {
    return this.#layout;
  }

  /** Resolves the real path of a directory, or `undefined` if the directory is not inside the roots. */
  get resolveInsideRoots(): RepositoryScope['resolveInsideRoots'] {
    return this.#scope.resolveInsideRoots;
  }

  /**
   * Opens the repository whose top is a directory inside the roots.
   *
   * @throws ToolError INVALID_URL for a directory inside a repository, and the errors of `Repositories.open`
   */
  get openPeer(): RepositoryScope['openPeer'] {
    return this.#scope.openPeer;
  }

  /** Returns the hardened environment, bound to the repository. @param config overrides the hardened configuration */
  buildEnvironment(config: Configuration): Readonly<Record<string, string>> {
    return { ...this.#git.environment(config), ...this.#scope.binding };
  }

  /** The common directory that git uses: the real directory, or the copy with the pinned configuration. */
  get effectiveCommonDir(): string {
    return this.#scope.binding['GIT_COMMON_DIR'] ?? this.#layout.commonDir;
  }

  /** Runs a command that changes nothing. Git takes no optional locks and does not refresh the index. */
  read(command: readonly string[], options: CommandOptions = {}): Promise<GitOutput> {
    return this.#run(command, { ...options, env: { GIT_OPTIONAL_LOCKS: '0', ...options.env } });
  }

  /** Runs a command that changes the repository. */
  async write(command: readonly string[], options: CommandOptions = {}): Promise<GitOutput> {
    try {
      return await this.#run(command, options);
    } finally {
      if (command[0] === 'fetch') await copyBackShallow(this.#layout.commonDir, this.effectiveCommonDir);
    }
  }

  /**
   * Runs a command that changes branches, remotes or the configuration, or that lists or prunes work trees. The command uses the
   * repository's own files. These commands start no program with any configuration except hooks. Hooks are disabled in an
   * untrusted repository, unless the operator allows hooks.
   */
  administer(command: AdministrativeCommand, options: CommandOptions = {}): Promise<GitOutput> {
    const { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = this.#scope.binding;
    const user = GIT_CONFIG_GLOBAL === undefined ? {} : { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM: GIT_CONFIG_NOSYSTEM ?? '1' };
    const config = this.#scope.isTrusted ? options.config : { ...disableReferenceHooks(this.#scope.policy), ...options.config };
    return this.#run(command, { ...options, ...(config && { config }) }, { ...user, ...bindToPaths(this.#layout) });
  }

  /**
   * Reads an object through the shared object reader. Returns `undefined` if the object does not exist.
   *
   * @param name any expression for an object, such as an oid or `oid:path`; it is never parsed as an option
   * @throws ToolError TOO_LARGE for an object larger than `maxBytes`, GIT_FAILED if git cannot resolve the name, ROOT_CHANGED
   */
  async object(name: string, maxBytes: number = this.limits.maxBytes): Promise<StoredObject | undefined> {
    const info = await this.objectInfo(name);
    return info && this.content(info, splitObjectName(name).path, maxBytes);
  }

  /**
   * Reads an object whose type and size are known.
   *
   * @param called name of the object in an error message
   * @throws ToolError the errors of {@link Repository.object}
   */
  async content(
    { oid, size }: ObjectInfo,
    called: string,
    maxBytes: number = this.limits.maxBytes,
  ): Promise<StoredObject | undefined> {
    if (size > maxBytes)
      throw new ToolError('TOO_LARGE', `${quoteInput(called)} has ${size} bytes; the limit is ${maxBytes} bytes`, {
        hint: 'the operator can raise the limit with --max-resource-bytes',
      });
    return this.#scope.objects.request('contents', Buffer.from(oid), this.signal);
  }

  /**
   * Reads the type and size of an object through the shared object reader. Returns `undefined` if the object does not exist.
   *
   * @throws ToolError GIT_FAILED if git cannot resolve the name, ROOT_CHANGED
   */
  async objectInfo(name: string): Promise<ObjectInfo | undefined> {
    this.#requireSame();
    return this.#scope.objects.request('info', encodeObjectName(name), this.signal);
  }

  /** Runs work while no other call of this server changes the repository. The work must not wait for the user. */
  withWriteLock<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#scope.writeLock.run(work, this.#scope.signal);
  }

  /** Returns the same repository with another signal, for cleaning up after a cancelled call. */
  withSignal(signal: AbortSignal): Repository {
    return new Repository(this.#git, this.#layout, { ...this.#scope, signal });
  }

  /** @throws ToolError ROOT_CHANGED, the errors of {@link explainGitFailure}, and the errors of {@link GitProgram.run} */
  async #run(command: readonly string[], options: CommandOptions, binding = this.#scope.binding): Promise<GitOutput> {
    this.#requireSame();
    const { codes = [0], env, ...others } = options;
    const output = await this.#git.run(command, {
      maxBytes: others.isEnough === undefined ? MAX_OUTPUT : Infinity,
      ...others,
      cwd: this.#layout.top,
      env: { ...binding, ...env },
      signal: this.#scope.signal,
    });
    if (codes.includes(output.code)) return output;
    throw explainGitFailure(command[0] ?? '', { ...output, stderr: this.#replaceCopyPath(output.stderr) }, this.#layout);
  }

  /** Replaces the path of the pinned copy in the output of git with the real common directory. */
  #replaceCopyPath(words: string): string {
    return words.replaceAll(this.effectiveCommonDir, this.#layout.commonDir);
  }

  /** Requires that the directories are still the examined ones: between two commands, a directory may be replaced with a link. */
  #requireSame(): void {
    if (identifyDirectories(listDirectories(this.#layout)) !== this.#identity)
      throw new ToolError('ROOT_CHANGED', 'the directories of the repository were replaced during the call', {
        hint: 'try again',
      });
  }
}

function listDirectories({ top, gitDir, commonDir }: RepositoryLayout): readonly string[] {
  return [...new Set([top, gitDir, commonDir])];
}

/** Encodes an expression for an object: in `oid:path`, the path as {@link encodePath} does; any other expression as UTF-8. */
function encodeObjectName(name: string): Buffer {
  const { oid, path: inside } = splitObjectName(name);
  return oid === '' ? Buffer.from(name) : Buffer.concat([Buffer.from(oid), encodePath(inside)]);
}

function splitObjectName(name: string): { readonly oid: string; readonly path: string } {
  const [, oid = '', inside = name] = /^([0-9a-f]{40,64}:)(.*)$/s.exec(name) ?? [];
  return { oid, path: inside };
}

/**
 * Returns the setting that disables hooks for changes of references that the configuration defines, or no setting if the operator
 * allows hooks. Git 2.54 runs such hooks in spite of this setting, because only git 2.55 and later can disable hooks by their
 * event.
 */
function disableReferenceHooks({ allowHooks }: Policy): Readonly<Record<string, string>> {
  return allowHooks ? {} : { 'hook.reference-transaction.enabled': 'false' };
}
