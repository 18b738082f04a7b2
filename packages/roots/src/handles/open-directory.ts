import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../errors/error-code.ts';
import {
  createDeniedError,
  createNotDirectoryError,
  createOutsideRootsError,
  createReadOnlyError,
  toToolError,
  throwToolErrors,
} from '../errors/path-errors.ts';
import { POOLED_TRANSFERS, type MaybePromise, type FileSystemCalls } from '../pinning/file-system-calls.ts';
import { findListedNames } from '../pinning/listed-name.ts';
import { namesBelow, requireName } from '../paths/containment.ts';
import { isLinkTextInside } from '../paths/link-text.ts';
import { FOLDED, REAL } from '../paths/naming.ts';
import { wouldContainGit } from '../policy/git-names.ts';
import { Resolver, type ResolvedPath } from '../resolving/resolver.ts';
import type { RootMode } from '../boundary/root-directory.ts';
import type { WorkerScope } from '../policy/worker-scope.ts';
import { openAppendableFile, type AppendableFile } from './appendable-file.ts';
import { GitGuard, type ChangeKind } from './git-guard.ts';
import { moveToFreeName } from './move-to-free-name.ts';
import { createNewFile, type NewFile } from './new-file.ts';
import { openResolvedFile, type OpenFile } from './open-file.ts';

/** An operation on an entry, whose path is `location`. */
type Work<Value> = (calls: FileSystemCalls, location: string) => MaybePromise<Value>;

/** Number of directory entries per read. */
const ENTRIES_PER_READ = 1024;

/** With these flags, open neither truncates the file, nor follows a link, nor waits for a reader of a FIFO. */
const FOR_WRITING = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Permissions of new files and directories, before the umask applies. */
const NEW_FILE = 0o666;
const NEW_DIRECTORY = 0o777;

/**
 * Friend constructor for this package only; takes ownership of the pinned path.
 *
 * @throws ToolError NOT_DIRECTORY
 */
export let openResolvedDirectory: (resolved: ResolvedPath, resolver: Resolver) => Promise<OpenDirectory>;

/**
 * A verified directory. It stays the same directory even if its path is moved or replaced. Its methods take names of entries or
 * paths below the directory, and follow no links. Names that the policy denies fail with DENIED_BY_POLICY, changes in a read-only
 * root with READ_ONLY. Failures of the file system are `ToolError`s with the path that clients see.
 */
export class OpenDirectory implements AsyncDisposable {
  /** The path as clients see it. */
  readonly shown: string;
  readonly mode: RootMode;
  /** Stats of the directory at the time of its verification. */
  readonly self: BigIntStats;
  readonly #resolved: ResolvedPath;
  readonly #resolver: Resolver;
  /** Rejects changes in git directories; `undefined` if such changes are allowed. */
  readonly #gitGuard: GitGuard | undefined;
  #isClosed = false;

  private constructor(resolved: ResolvedPath, resolver: Resolver) {
    this.#resolved = resolved;
    this.#resolver = resolver;
    this.shown = resolved.shown;
    this.mode = resolved.mode;
    this.self = resolved.pinned.facts;
    this.#gitGuard = resolver.rules.gitDirectories === 'deny' ? new GitGuard(resolved.pinned, resolved.backend.calls) : undefined;
  }

  /** Returns whether the policy denies an entry. */
  isDenied(name: string): boolean {
    return this.#resolver.isForbidden(path.join(this.#resolved.real, name));
  }

  /** Returns whether an entry must not be changed because it is a git directory, a `gitdir:` link or a configuration of git. */
  async isGuardedGit(name: string): Promise<boolean> {
    return (await this.#gitGuard?.isGitEntry(name)) ?? false;
  }

  /** Returns whether a directory with these entries must not be created because it would be or contain a git directory. */
  wouldGuardGit(names: readonly string[]): boolean {
    return this.#gitGuard !== undefined && wouldContainGit(names);
  }

  /**
   * Throws the error that a change of the name would throw, whether or not the name exists.
   * @throws ToolError
   */
  requireChangeable(name: string): Promise<void> {
    return this.#change(name, () => undefined);
  }

  /**
   * Returns what a worker thread needs to walk the directory by itself. This handle must stay open until the thread has finished.
   */
  async workerScope(): Promise<WorkerScope> {
    const { pinned, backend, real } = this.#resolved;
    return {
      base: await pinned.pathTo(),
      real: await pinned.realPath(),
      listed: real,
      device: this.#resolver.rules.crossMounts ? undefined : Number(this.self.dev),
      ...this.#resolver.workerRules(backend),
    };
  }

  /** Lists all entries in no particular order, including denied ones. */
  async *entries(): AsyncGenerator<Dirent> {
    try {
      yield* await opendir(await this.#resolved.pinned.pathTo(), { bufferSize: ENTRIES_PER_READ });
    } catch (error) {
      throw toToolError(this.shown, error);
    }
  }

  /** Whether the directory has no entries, denied ones included. */
  async isEmpty(): Promise<boolean> {
    for await (const _ of this.entries()) return false;
    return true;
  }

  /** Returns the stats of an entry, or `undefined` if the entry does not exist. Does not follow links. */
  facts(name: string): Promise<BigIntStats | undefined> {
    return this.#run(name, (calls, location) => ignoreMissing(() => calls.lstat(location)));
  }

  /** Returns the text of a link, even if the target is missing or outside the directories. */
  readLink(name: string): Promise<string> {
    return this.#run(name, (calls, location) => calls.readlink(location));
  }

  /** Returns the text of a link if its text and its target are inside the directories and not denied, otherwise `undefined`. */
  async linkTarget(name: string): Promise<string | undefined> {
    const text = await this.readLink(name);
    const { rules } = this.#resolver;
    if (!isLinkTextInside(text, this.#resolved.real, rules.directories)) return undefined;
    const following = new Resolver({ ...rules, followSymlinks: true });
    const isInside = await isAccessible(following, path.join(this.#resolved.real, name));
    return isInside || (await this.#isDangling(following, text)) ? text : undefined;
  }

  /**
   * Returns whether a link points to a missing entry of an accessible directory. For a link to another link the result is
   * `false`.
   */
  async #isDangling(following: Resolver, text: string): Promise<boolean> {
    const next = path.resolve(this.#resolved.real, text);
    if (following.isForbidden(next) || (await this.#resolved.backend.calls.tryLstat(next)) !== undefined) return false;
    return isAccessible(following, path.dirname(next));
  }

  /**
   * Opens a regular file in this directory, or below it by a path with `/` between the names.
   *
   * @throws ToolError IS_DIRECTORY for a directory, NOT_REGULAR_FILE for any other entry, such as a link; PATH_OUTSIDE_ROOTS
   *   if a directory on the path is a link
   */
  async openFile(below: string): Promise<OpenFile> {
    return openResolvedFile(await this.#resolveBelow(below), this.#resolver.rules.hardLinks);
  }

  /**
   * Opens a directory in this directory, or below it by a path with `/` between the names.
   *
   * @throws ToolError NOT_DIRECTORY for any other entry, such as a link; PATH_OUTSIDE_ROOTS if a directory on the path is a
   *   link
   */
  async openDirectory(below: string): Promise<OpenDirectory> {
    return openResolvedDirectory(await this.#resolveBelow(below), this.#resolver);
  }

  /** Creates a file, which has a temporary name until it is saved. */
  async newFile(mode: number = NEW_FILE): Promise<NewFile> {
    if (this.mode === 'ro') throw createReadOnlyError(this.shown);
    await this.#gitGuard?.requireOutside(this.shown);
    const { pinned, backend } = this.#resolved;
    const parent = {
      shown: this.shown,
      calls: backend.calls,
      pathTo: async (own: string) => pinned.pathTo(own),
      save: (own: string, name: string) =>
        this.#change(name, async (calls, location) => calls.rename(await pinned.pathTo(own), location)),
      saveNew: (own: string, name: string) =>
        this.#change(name, async (calls, location) => moveToFreeName(calls, await pinned.pathTo(own), location)),
    };
    return throwToolErrors(this.shown, () => createNewFile(parent, mode));
  }

  /**
   * Opens an existing file for appending, without following a link.
   *
   * @throws ToolError IS_DIRECTORY for a directory, SYMLINK_LOOP for a link, NOT_REGULAR_FILE for any other special entry that can
   * be opened; IO if the file cannot be opened for writing
   */
  openToAppend(name: string): Promise<AppendableFile> {
    return this.#change(name, (calls, location) => openAppendableFile(calls, location, path.join(this.shown, name)));
  }

  /**
   * Creates a symbolic link. Its target is written as given and not verified.
   *
   * @throws ToolError ALREADY_EXISTS if the name exists
   */
  makeLink(name: string, target: string): Promise<void> {
    return this.#alter(name, 'attach', (calls, location) => calls.symlink(target, location));
  }

  /** @throws ToolError ALREADY_EXISTS if the name exists */
  makeDirectory(name: string, mode: number = NEW_DIRECTORY): Promise<void> {
    return this.#change(name, (calls, location) => calls.mkdir(location, mode));
  }

  /** Moves an entry and replaces an entry with the new name, as rename(2) does: a directory is replaced only if it is empty. */
  async rename(name: string, to: OpenDirectory, toName: string): Promise<void> {
    await this.#remove(name, (calls, location) =>
      to.#alter(toName, 'attach', (_, toLocation) => calls.rename(location, toLocation)),
    );
  }

  /**
   * Moves an entry to a free name. If two calls move to the same name at once, one of them fails. The move can replace
   * only an empty directory.
   * @throws ToolError ALREADY_EXISTS if the new name exists
   */
  async renameNew(name: string, to: OpenDirectory, toName: string): Promise<void> {
    await this.#remove(name, (calls, location) =>
      to.#alter(toName, 'attach', (_, toLocation) => moveToFreeName(calls, location, toLocation)),
    );
  }

  /** @throws ToolError IO if the user of this process may not write the entry */
  requireWriteAccess(name: string): Promise<void> {
    return this.#change(name, async (calls, location) => calls.close(await calls.open(location, FOR_WRITING)));
  }

  /** Resolves when all changes of entries are on the disk. Windows can flush no directories and needs no flush. */
  async flush(): Promise<void> {
    if (process.platform === 'win32') return;
    await throwToolErrors(this.shown, () =>
      this.#withDescriptor((calls, descriptor) => (calls.isSynchronous ? POOLED_TRANSFERS : calls).fsync(descriptor)),
    );
  }

  /** Sets the permissions of the directory itself. */
  async setMode(mode: number): Promise<void> {
    if (this.mode === 'ro') throw createReadOnlyError(this.shown);
    await this.#gitGuard?.requireOutside(this.shown);
    await throwToolErrors(this.shown, () => this.#withDescriptor((calls, descriptor) => calls.fchmod(descriptor, mode)));
  }

  /** Removes an entry that is not a directory. A link is removed, not its target. */
  unlink(name: string): Promise<void> {
    return this.#remove(name, (calls, location) => calls.unlink(location));
  }

  /** @throws ToolError NOT_EMPTY if the directory has entries */
  removeDirectory(name: string): Promise<void> {
    return this.#remove(name, (calls, location) => calls.rmdir(location));
  }

  /** Sets the times of an entry. Does not follow links. */
  setTimes(name: string, accessed: Date, modified: Date): Promise<void> {
    return this.#change(name, (calls, location) => calls.lutimes(location, accessed, modified));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#resolved.pinned.close();
  }

  async #withDescriptor(work: (calls: FileSystemCalls, descriptor: number) => MaybePromise<void>): Promise<void> {
    const { calls } = this.#resolved.backend;
    const descriptor = await this.#resolved.pinned.open(constants.O_RDONLY);
    try {
      await work(calls, descriptor);
    } finally {
      await calls.close(descriptor);
    }
  }

  /** Pins a path below this directory. Throws if a directory on the path was a link, which the real path of the pinned entry shows. */
  async #resolveBelow(below: string): Promise<ResolvedPath> {
    const names = below.split('/');
    const shown = path.join(this.shown, ...names.map(requireName));
    const { backend, pinned: directory, real: above } = this.#resolved;
    return throwToolErrors(shown, async () => {
      const pinned = await backend.pin(await directory.pathTo(names.join(path.sep)), false);
      try {
        // The kernel may report another spelling of a name; any other difference means that the path contained a link.
        const actual = namesBelow(await directory.realPath(), await pinned.realPath(), REAL) ?? [];
        if (!isSamePath(actual, names)) throw createOutsideRootsError(shown, [this.shown]);
        const real = path.join(above, ...(await findListedNames(backend.calls, await directory.pathTo(), names)));
        this.#resolver.requireInside(real, pinned.facts, shown);
        return { pinned, backend, real, shown, given: shown, mode: this.#resolver.modeAt(real) };
      } catch (error) {
        await pinned.close();
        throw error;
      }
    });
  }

  /**
   * Changes a name after all checks.
   *
   * @throws ToolError READ_ONLY; DENIED_BY_POLICY for denied names, roots, directories that contain a root, and in git
   *   directories
   */
  #change<Value>(name: string, change: Work<Value>): Promise<Value> {
    return this.#alter(name, 'put', change);
  }

  /** Like `#change`, for operations that remove a name. */
  #remove<Value>(name: string, change: Work<Value>): Promise<Value> {
    return this.#alter(name, 'remove', change);
  }

  #alter<Value>(name: string, kind: ChangeKind, change: Work<Value>): Promise<Value> {
    return this.#run(name, async (calls, location) => {
      const real = path.join(this.#resolved.real, name);
      const shown = path.join(this.shown, name);
      if (this.#resolver.modeAt(real) === 'ro') throw createReadOnlyError(shown);
      const reason = this.#resolver.explainImmovable(real);
      if (reason !== undefined) throw createDeniedError(shown, reason);
      const work = async (): Promise<Value> => change(calls, location);
      return this.#gitGuard === undefined ? work() : this.#gitGuard.runGuarded({ name, shown, kind }, work);
    });
  }

  #run<Value>(name: string, work: Work<Value>): Promise<Value> {
    const shown = path.join(this.shown, name);
    return throwToolErrors(shown, async () => {
      this.#resolver.requirePermitted(path.join(this.#resolved.real, requireName(name)), shown);
      return work(this.#resolved.backend.calls, await this.#resolved.pinned.pathTo(name));
    });
  }

  static {
    openResolvedDirectory = async (resolved, resolver) => {
      if (resolved.pinned.facts.isDirectory()) return new OpenDirectory(resolved, resolver);
      await resolved.pinned.close();
      throw createNotDirectoryError(resolved.given);
    };
  }
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => FOLDED.areEqual(name, other[index] ?? ''));
}

async function isAccessible(resolver: Resolver, real: string): Promise<boolean> {
  try {
    const { pinned } = await resolver.resolve(real, resolver.locateReal(real, real));
    await pinned.close();
    return true;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}

async function ignoreMissing<Value>(look: () => MaybePromise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
