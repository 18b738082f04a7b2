import { createHash } from 'node:crypto';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { quoted } from '../text/visible.ts';
import type { Configuration } from './environment.ts';
import { failureOf } from './failures.ts';
import { hookSwitchOf } from './hooks.ts';
import type { ObjectReader } from './object-reader.ts';
import type { ObjectInfo, StoredObject } from './parse/object-answers.ts';
import { bytesOfPath } from './path-bytes.ts';
import { bound, passOnShallow } from './pinned-configurations.ts';
import type { Ground } from './places.ts';
import type { GitProgram } from './program.ts';
import type { Queue } from './queue.ts';
import type { Output } from './runner.ts';
import { identityOf } from './stamp.ts';

/** How much one call may return. */
export interface Limits {
  readonly maxBytes: number;
  readonly maxEntries: number;
  readonly maxCommits: number;
}

/** What the operator lets be done. */
export interface Policy {
  readonly allowHooks: boolean;
  readonly protectedBranches: readonly string[];
  readonly remoteHosts?: readonly string[];
}

/** What a command needs besides its arguments. */
export interface CommandOptions {
  /** Exit codes that are answers, not failures; default: 0 alone. */
  readonly codes?: readonly number[];
  /** Of paths: what {@link pathList} makes of them. */
  readonly input?: string | Buffer;
  /** Over the hardened environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Over the hardened configuration; `undefined` leaves a key to the user's and the repository's own. */
  readonly config?: Configuration;
  /** Bytes after which git is ended; default: 64 MiB. */
  readonly maxBytes?: number;
  readonly onOutput?: (chunk: Buffer) => void;
  /** Asked after each part of the output: no more is wanted, and git is ended. What was told is then not kept, and may be of any size. */
  readonly isEnough?: () => boolean;
  /** Told of stderr as it comes. */
  readonly onStderr?: (text: string) => void;
}

/** Git commands that start no program with any configuration, except hooks for changes of references. */
export type AdministrativeCommand =
  | readonly ['branch' | 'config' | 'remote', ...string[]]
  | readonly ['worktree', 'list' | 'prune', ...string[]];

/** Output that is parsed, not returned, may be this large. */
const MAX_OUTPUT = 67_108_864;

/** Makes a repository; for this folder only. */
export let openRepository: (git: GitProgram, ground: Ground, scope: Scope) => Repository;

/** What bounds the work of one call. */
export interface Scope {
  /** Top of the work tree as clients see it. */
  readonly shown: string;
  readonly limits: Limits;
  readonly policy: Policy;
  /** Its configuration may run programs. */
  readonly isTrusted: boolean;
  readonly signal: AbortSignal;
  /** Of all changes to the repository. */
  readonly queue: Queue;
  /** Of its objects, shared with other calls. */
  readonly objects: ObjectReader;
  /** Resolves the real path of a directory inside the roots, or `undefined` for any other directory. */
  readonly insideRoots: (directory: string) => Promise<string | undefined>;
  /** Environment variables that bind git to the repository and to the checked configuration. */
  readonly ties: Readonly<Record<string, string>>;
}

/**
 * A repository that passed the guard, for the time of one call: the only thing that operations run git in.
 *
 * Its commands end when the call is cancelled or late.
 */
export class Repository {
  readonly #git: GitProgram;
  readonly #ground: Ground;
  readonly #scope: Scope;
  readonly #identity: string;

  private constructor(git: GitProgram, ground: Ground, scope: Scope) {
    this.#git = git;
    this.#ground = ground;
    this.#scope = scope;
    this.#identity = identityOf(directoriesOf(ground));
  }

  static {
    openRepository = (git, ground, scope) => new Repository(git, ground, scope);
  }

  /** Stable across restarts: the directory's name and 8 hex digits of the git directory's real path. */
  get id(): string {
    return `${this.name}-${createHash('sha256').update(this.#ground.gitDir).digest('hex').slice(0, 8)}`;
  }

  /** Name of the directory at its top. */
  get name(): string {
    return path.basename(this.#ground.top);
  }

  /** Top of the work tree, under the root as the operator wrote that root. */
  get shown(): string {
    return this.#scope.shown;
  }

  get limits(): Limits {
    return this.#scope.limits;
  }

  get policy(): Policy {
    return this.#scope.policy;
  }

  /** Whether the operator lets its configuration run programs. */
  get isTrusted(): boolean {
    return this.#scope.isTrusted;
  }

  /** Aborted when the call is cancelled or late. */
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** Real paths, for calls to `node:fs` only. */
  get ground(): Ground {
    return this.#ground;
  }

  /** Resolves the real path of a directory, or `undefined` if the directory is not inside the roots. */
  get insideRoots(): Scope['insideRoots'] {
    return this.#scope.insideRoots;
  }

  /** The common directory that git uses: the real one, or the copy with the pinned configuration. */
  get usedCommonDir(): string {
    return this.#scope.ties['GIT_COMMON_DIR'] ?? this.#ground.commonDir;
  }

  /** Runs a command that changes nothing; git takes no locks for it, and leaves the index as it is. */
  read(command: readonly string[], options: CommandOptions = {}): Promise<Output> {
    return this.#run(command, { ...options, env: { GIT_OPTIONAL_LOCKS: '0', ...options.env } });
  }

  /** Runs a command that changes the repository. */
  async write(command: readonly string[], options: CommandOptions = {}): Promise<Output> {
    try {
      return await this.#run(command, options);
    } finally {
      if (command[0] === 'fetch') await passOnShallow(this.#ground.commonDir, this.usedCommonDir);
    }
  }

  /**
   * Runs a command that writes the configuration of the repository or lists its work trees. The command uses the repository's own
   * files, because none of these commands starts a program with any configuration but a hook, which is disabled.
   */
  administer(command: AdministrativeCommand, options: CommandOptions = {}): Promise<Output> {
    const { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = this.#scope.ties;
    const user = GIT_CONFIG_GLOBAL === undefined ? {} : { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM: GIT_CONFIG_NOSYSTEM ?? '1' };
    const config = this.#scope.isTrusted ? options.config : { ...hookSwitchOf(this.#scope.policy), ...options.config };
    return this.#run(command, { ...options, ...(config && { config }) }, { ...user, ...bound(this.#ground) });
  }

  /**
   * An object with its bytes, without a process of its own; `undefined` if there is none.
   *
   * @param name any expression that names one, such as an oid or `oid:path`; git takes it for nothing else
   * @throws ToolError TOO_LARGE for one of more than `maxBytes`, which is not read, GIT_FAILED
   */
  async object(name: string, maxBytes: number = this.limits.maxBytes): Promise<StoredObject | undefined> {
    const info = await this.objectInfo(name);
    return info && this.content(info, partsOf(name).path, maxBytes);
  }

  /**
   * The bytes of an object of which it is known what it is.
   *
   * @param called what to call it if it is refused
   * @throws ToolError as {@link Repository.object}
   */
  async content(
    { oid, size }: ObjectInfo,
    called: string,
    maxBytes: number = this.limits.maxBytes,
  ): Promise<StoredObject | undefined> {
    if (size > maxBytes)
      throw new ToolError('TOO_LARGE', `${quoted(called)} has more than ${maxBytes} bytes: ${size}`, {
        hint: '--max-resource-bytes raises the limit',
      });
    return this.#scope.objects.ask('contents', Buffer.from(oid), this.signal);
  }

  /**
   * What kind of object it is and how large, without a process of its own; `undefined` if there is none.
   *
   * @throws ToolError GIT_FAILED
   */
  async objectInfo(name: string): Promise<ObjectInfo | undefined> {
    this.#requireSame();
    return this.#scope.objects.ask('info', bytesOfName(name), this.signal);
  }

  /** Does work while nobody else of this server changes the repository. Not for work that waits for the user. */
  alone<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    return this.#scope.queue.add(work, this.#scope.signal);
  }

  /** The same repository for what is left to do once the call was cancelled. */
  after(signal: AbortSignal): Repository {
    return new Repository(this.#git, this.#ground, { ...this.#scope, signal });
  }

  /** @throws ToolError what {@link failureOf} makes of an unexpected exit, ROOT_CHANGED, and those of the runner */
  async #run(command: readonly string[], options: CommandOptions, ties = this.#scope.ties): Promise<Output> {
    this.#requireSame();
    const { codes = [0], input, env, config, onOutput, onStderr, isEnough } = options;
    const { maxBytes = isEnough === undefined ? MAX_OUTPUT : Infinity } = options;
    const output = await this.#git.run(command, {
      cwd: this.#ground.top,
      env: { ...ties, ...env },
      ...(config && { config }),
      signal: this.#scope.signal,
      maxBytes,
      input,
      onOutput,
      isEnough,
      onStderr,
    });
    if (codes.includes(output.code)) return output;
    throw failureOf(command[0] ?? '', { ...output, stderr: this.#named(output.stderr) }, this.#ground);
  }

  /** Replaces the path of the copy in the output of git with the real common directory. */
  #named(words: string): string {
    return words.replaceAll(this.usedCommonDir, this.#ground.commonDir);
  }

  /** Between two commands of a call, too, a directory may be moved away and a link put in its place. */
  #requireSame(): void {
    if (identityOf(directoriesOf(this.#ground)) !== this.#identity)
      throw new ToolError('ROOT_CHANGED', 'the directories of the repository were replaced meanwhile', { hint: 'call again' });
  }
}

function directoriesOf({ top, gitDir, commonDir }: Ground): readonly string[] {
  return [...new Set([top, gitDir, commonDir])];
}

/** A path behind an oid is spelled as paths are; anything else is an expression as somebody typed it. */
function bytesOfName(name: string): Buffer {
  const { oid, path: inside } = partsOf(name);
  return oid === '' ? Buffer.from(name) : Buffer.concat([Buffer.from(oid), bytesOfPath(inside)]);
}

function partsOf(name: string): { readonly oid: string; readonly path: string } {
  const [, oid = '', inside = name] = /^([0-9a-f]{40,64}:)(.*)$/s.exec(name) ?? [];
  return { oid, path: inside };
}
