import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../error-code.ts';
import { denied, notDirectory, outsideRoots, readOnly, refused, translated } from '../failures.ts';
import { TRANSFERS, type Answer, type Calls } from '../hold/calls.ts';
import { listedNames } from '../hold/listed-name.ts';
import { namesBelow } from '../paths/contained.ts';
import { namesOnlyInside } from '../paths/link-text.ts';
import { FOLDED, REAL } from '../paths/naming.ts';
import { requireName } from '../paths/require-name.ts';
import { wouldHoldGit } from '../policy/git-names.ts';
import { Resolver, type Found } from '../resolver.ts';
import type { RootMode } from '../root-directory.ts';
import { GitGuard, type ChangeKind } from './git-guard.ts';
import { moveToFree } from './move-to-free.ts';
import { createFile, type NewFile } from './new-file.ts';
import { openFileOf, type OpenFile } from './open-file.ts';
import type { ThreadGround } from './thread-ground.ts';

/** An operation on the path of a name. */
type Work<Value> = (calls: Calls, way: string) => Answer<Value>;

/** Entries that are read at a time. */
const BUFFERED = 1024;

/** Changes nothing yet; neither follows a link nor waits for a reader. */
const FOR_WRITING = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Permissions of what is created, less the process's umask. */
const NEW_FILE = 0o666;
const NEW_DIRECTORY = 0o777;

/**
 * Takes over what was found; for this package only.
 *
 * @throws ToolError NOT_DIRECTORY
 */
export let openDirectoryOf: (found: Found, resolver: Resolver) => Promise<OpenDirectory>;

/**
 * A directory that was verified, and stays the one it is whatever happens to its path.
 *
 * It takes names in it, and no links are followed. What the policy denies fails with DENIED_BY_POLICY; what changes something
 * fails with READ_ONLY where the root may only be read; what the file system refuses is a `ToolError` with the path that clients see.
 */
export class OpenDirectory implements AsyncDisposable {
  /** The path that clients see. */
  readonly shown: string;
  readonly mode: RootMode;
  /** What it was when it was found. */
  readonly self: BigIntStats;
  readonly #found: Found;
  readonly #resolver: Resolver;
  /** `undefined` if git directories may be changed. */
  readonly #gitGuard: GitGuard | undefined;
  #isClosed = false;

  private constructor(found: Found, resolver: Resolver) {
    this.#found = found;
    this.#resolver = resolver;
    this.shown = found.shown;
    this.mode = found.mode;
    this.self = found.anchor.facts;
    this.#gitGuard = resolver.bounded.gitDirectories === 'deny' ? new GitGuard(found.anchor, found.ground.calls) : undefined;
  }

  /** Whether the policy denies a name in it. */
  isDenied(name: string): boolean {
    return this.#resolver.forbids(path.join(this.#found.real, name));
  }

  /** Whether a name must not be changed because it refers to a git directory, to a `gitdir:` link or to a configuration of git. */
  async isGuardedGit(name: string): Promise<boolean> {
    return (await this.#gitGuard?.isGitEntry(name)) ?? false;
  }

  /** Whether a directory with these entries must not be created because it would be or contain a git directory. */
  wouldGuardGit(names: readonly string[]): boolean {
    return this.#gitGuard !== undefined && wouldHoldGit(names);
  }

  /** @throws ToolError that a change of the name would throw, whether or not the name exists */
  requireChangeable(name: string): Promise<void> {
    return this.#change(name, () => undefined);
  }

  /** For a worker thread that goes through it with calls of its own; this handle is to stay open until that is done. */
  async threadGround(): Promise<ThreadGround> {
    const { anchor, ground, real } = this.#found;
    return {
      base: await anchor.at(),
      real: await anchor.real(),
      listed: real,
      guarantee: ground.guarantee,
      device: this.#resolver.bounded.crossMounts ? undefined : Number(this.self.dev),
      ...this.#resolver.threadRules(),
    };
  }

  /** What is in it, in no order; names that are denied, too. */
  async *entries(): AsyncGenerator<Dirent> {
    try {
      yield* await opendir(await this.#found.anchor.at(), { bufferSize: BUFFERED });
    } catch (error) {
      throw refused(this.shown, error);
    }
  }

  /** Facts about a name, of a link about itself; `undefined` where nothing is. */
  facts(name: string): Promise<BigIntStats | undefined> {
    return this.#with(name, (calls, way) => unlessMissing(() => calls.lstat(way)));
  }

  /** What a link says, as it says it: nothing about where that leads. */
  readLink(name: string): Promise<string> {
    return this.#with(name, (calls, way) => calls.readlink(way));
  }

  /** Returns the text of a link if its text and its target are inside the directories and not denied, otherwise `undefined`. */
  async linkTarget(name: string): Promise<string | undefined> {
    const text = await this.readLink(name);
    const { bounded } = this.#resolver;
    if (!namesOnlyInside(text, this.#found.real, bounded.directories)) return undefined;
    const following = new Resolver({ ...bounded, followSymlinks: true });
    const leadsInside =
      (await isFound(following, path.join(this.#found.real, name))) || (await this.#leadsToNothing(following, text));
    return leadsInside ? text : undefined;
  }

  /** Whether a link names a missing entry of an accessible directory. For a link to another link the result is `false`. */
  async #leadsToNothing(following: Resolver, text: string): Promise<boolean> {
    const next = path.resolve(this.#found.real, text);
    if (following.forbids(next) || (await this.#found.ground.calls.find(next)) !== undefined) return false;
    return isFound(following, path.dirname(next));
  }

  /**
   * A regular file in it or, by a path with `/` between the names, below it.
   *
   * @throws ToolError NOT_REGULAR_FILE, also for a link; PATH_OUTSIDE_ROOTS where a link is on the way
   */
  async openFile(below: string): Promise<OpenFile> {
    return openFileOf(await this.#find(below), this.#resolver.bounded.hardLinks);
  }

  /**
   * A directory in it or, by a path with `/` between the names, below it.
   *
   * @throws ToolError NOT_DIRECTORY, also for a link; PATH_OUTSIDE_ROOTS where a link is on the way
   */
  async openDirectory(below: string): Promise<OpenDirectory> {
    return openDirectoryOf(await this.#find(below), this.#resolver);
  }

  /** A new file in it, under a name of its own until it is saved. */
  async newFile(mode: number = NEW_FILE): Promise<NewFile> {
    if (this.mode === 'ro') throw readOnly(this.shown);
    await this.#gitGuard?.requireOutside(this.shown);
    const { anchor, ground } = this.#found;
    const place = {
      shown: this.shown,
      calls: ground.calls,
      way: async (own: string) => anchor.at(own),
      save: (own: string, name: string) => this.#change(name, async (calls, way) => calls.rename(await anchor.at(own), way)),
      saveNew: (own: string, name: string) =>
        this.#change(name, async (calls, way) => moveToFree(calls, await anchor.at(own), way)),
    };
    return translated(this.shown, () => createFile(place, mode));
  }

  /** @param target as the link is to say it; nobody vouches for where that leads. @throws ToolError ALREADY_EXISTS */
  makeLink(name: string, target: string): Promise<void> {
    return this.#alter(name, 'attach', (calls, way) => calls.symlink(target, way));
  }

  /** @throws ToolError ALREADY_EXISTS */
  makeDirectory(name: string, mode: number = NEW_DIRECTORY): Promise<void> {
    return this.#change(name, (calls, way) => calls.mkdir(way, mode));
  }

  /** Moves a name, in place of what has the new name now. */
  async rename(name: string, to: OpenDirectory, toName: string): Promise<void> {
    await this.#remove(name, (calls, way) => to.#alter(toName, 'attach', (_, toWay) => calls.rename(way, toWay)));
  }

  /**
   * Moves a name to one that is free. Of two who do so at once, one fails; nothing but an empty directory is ever replaced.
   *
   * @throws ToolError ALREADY_EXISTS
   */
  async renameNew(name: string, to: OpenDirectory, toName: string): Promise<void> {
    await this.#remove(name, (calls, way) => to.#alter(toName, 'attach', (_, toWay) => moveToFree(calls, way, toWay)));
  }

  /** @throws ToolError IO where this user may not write what has the name */
  requireWriteAccess(name: string): Promise<void> {
    return this.#change(name, async (calls, way) => calls.close(await calls.open(way, FOR_WRITING)));
  }

  /** Resolves when the names in it are on the disk. Windows cannot do that, and has no need to. */
  async flush(): Promise<void> {
    if (process.platform === 'win32') return;
    await translated(this.shown, () =>
      this.#opened((calls, descriptor) => (calls.isDirect ? TRANSFERS : calls).fsync(descriptor)),
    );
  }

  /** Sets the directory's own permissions. */
  async setMode(mode: number): Promise<void> {
    if (this.mode === 'ro') throw readOnly(this.shown);
    await this.#gitGuard?.requireOutside(this.shown);
    await translated(this.shown, () => this.#opened((calls, descriptor) => calls.fchmod(descriptor, mode)));
  }

  /** Removes a name that is not a directory's; of a link the link. */
  unlink(name: string): Promise<void> {
    return this.#remove(name, (calls, way) => calls.unlink(way));
  }

  /** @throws ToolError NOT_EMPTY */
  removeDirectory(name: string): Promise<void> {
    return this.#remove(name, (calls, way) => calls.rmdir(way));
  }

  /** Of a link its own. */
  setTimes(name: string, accessed: Date, modified: Date): Promise<void> {
    return this.#change(name, (calls, way) => calls.lutimes(way, accessed, modified));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#found.anchor.close();
  }

  async #opened(work: (calls: Calls, descriptor: number) => Answer<void>): Promise<void> {
    const { calls } = this.#found.ground;
    const descriptor = await this.#found.anchor.open(constants.O_RDONLY);
    try {
      await work(calls, descriptor);
    } finally {
      await calls.close(descriptor);
    }
  }

  /** Holds what is below; its real path tells whether a link was on the way. */
  async #find(below: string): Promise<Found> {
    const names = below.split('/');
    const shown = path.join(this.shown, ...names.map(requireName));
    const { ground, anchor: own, real: above } = this.#found;
    return translated(shown, async () => {
      const anchor = await ground.hold(await own.at(names.join(path.sep)), false);
      try {
        // The kernel may report another spelling of a name; any other difference means that the path contained a link.
        const way = namesBelow(await own.real(), await anchor.real(), REAL) ?? [];
        if (!isSamePath(way, names)) throw outsideRoots(shown, [this.shown]);
        const real = path.join(above, ...(await listedNames(ground.calls, await own.at(), names)));
        this.#resolver.requireInside(real, anchor.facts, shown);
        return { anchor, ground, real, shown, given: shown, mode: this.#resolver.modeOf(real) };
      } catch (error) {
        await anchor.close();
        throw error;
      }
    });
  }

  /**
   * @throws ToolError READ_ONLY; DENIED_BY_POLICY for denied names, roots, directories that contain a root, and in git directories
   */
  #change<Value>(name: string, change: Work<Value>): Promise<Value> {
    return this.#alter(name, 'put', change);
  }

  /** Like `#change`, for operations that remove a name. */
  #remove<Value>(name: string, change: Work<Value>): Promise<Value> {
    return this.#alter(name, 'remove', change);
  }

  #alter<Value>(name: string, kind: ChangeKind, change: Work<Value>): Promise<Value> {
    return this.#with(name, async (calls, way) => {
      const real = path.join(this.#found.real, name);
      const shown = path.join(this.shown, name);
      if (this.#resolver.modeOf(real) === 'ro') throw readOnly(shown);
      const reason = this.#resolver.keeps(real);
      if (reason !== undefined) throw denied(shown, reason);
      const work = async (): Promise<Value> => change(calls, way);
      return this.#gitGuard === undefined ? work() : this.#gitGuard.during({ name, shown, kind }, work);
    });
  }

  #with<Value>(name: string, work: Work<Value>): Promise<Value> {
    const shown = path.join(this.shown, name);
    return translated(shown, async () => {
      this.#resolver.requirePermitted(path.join(this.#found.real, requireName(name)), shown);
      return work(this.#found.ground.calls, await this.#found.anchor.at(name));
    });
  }

  static {
    openDirectoryOf = async (found, resolver) => {
      if (found.anchor.facts.isDirectory()) return new OpenDirectory(found, resolver);
      await found.anchor.close();
      throw notDirectory(found.given);
    };
  }
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => FOLDED.same(name, other[index] ?? ''));
}

/** Whether a real path resolves to an accessible file or directory. */
async function isFound(resolver: Resolver, real: string): Promise<boolean> {
  try {
    const { anchor } = await resolver.find(real, resolver.locateReal(real, real));
    await anchor.close();
    return true;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}

async function unlessMissing<Value>(look: () => Answer<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
