import { type BigIntStats, existsSync, constants } from 'node:fs';
import path from 'node:path';

import { type MaybePromise, POOLED_CALLS, type FileSystemCalls } from './file-system-calls.ts';
import { selectCalls } from './mounts.ts';

/** A pinned file or directory: it stays the same file even if its path is moved or replaced. */
export interface PinnedPath {
  /** Stats at the time of pinning. */
  readonly facts: BigIntStats;
  /** Returns the current absolute path of the file, without links. Fails with ENOENT if the file was removed. */
  realPath(): MaybePromise<string>;
  /**
   * Returns a path to the file, or to a name in the directory, that cannot be redirected. Only for calls of `node:fs`.
   */
  pathTo(name?: string): MaybePromise<string>;
  /** Opens the file and returns the descriptor. */
  open(flags: number): MaybePromise<number>;
  close(): MaybePromise<void>;
}

/** Pins the target of a path. `follows`: a link in the last part of the path is followed. */
export type Pin = (target: string, follows: boolean) => Promise<PinnedPath>;

/**
 * Strength of the guarantee that an operation uses the verified file. `pinned`: every use goes through a file descriptor.
 * `rechecked`: the path is verified before and after each use; a fast process can still swap directories in between (a race
 * condition).
 */
export type Guarantee = 'pinned' | 'rechecked';

/** Compares the birth time as well, because the inode number of a removed file may be reused. */
export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.birthtimeNs === other.birthtimeNs;
}

/** Returns the error that the file system reports for a missing file. */
export function createVanishedError(): Error {
  return Object.assign(new Error('ENOENT: the file was moved or removed during use'), { code: 'ENOENT' });
}

/**
 * Opens a file only as a location, so that neither a FIFO nor a device notices. Node.js exports no such constant; the value is
 * the same on all Linux architectures that Node.js supports.
 */
const O_PATH = 0x20_0000;

/**
 * Pins a file by a descriptor. Every use goes through the descriptor, so changes of paths have no effect. Requires Linux with
 * /proc.
 */
class DescriptorPinnedPath implements PinnedPath {
  readonly facts: BigIntStats;
  readonly #calls: FileSystemCalls;
  readonly #descriptor: number;
  readonly #path: string;

  private constructor(calls: FileSystemCalls, descriptor: number, facts: BigIntStats) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.#path = `/proc/self/fd/${descriptor}`;
    this.facts = facts;
  }

  static async pin(calls: FileSystemCalls, target: string, follows: boolean): Promise<DescriptorPinnedPath> {
    const descriptor = await calls.open(target, O_PATH | (follows ? 0 : constants.O_NOFOLLOW));
    try {
      return new DescriptorPinnedPath(calls, descriptor, await calls.fstat(descriptor));
    } catch (error) {
      await calls.close(descriptor);
      throw error;
    }
  }

  async realPath(): Promise<string> {
    const real = await this.#calls.readlink(this.#path);
    // The name of an existing file may also end with ` (deleted)`, so the link count is checked.
    if (real.endsWith(' (deleted)') && (await this.#calls.fstat(this.#descriptor)).nlink === 0n) throw createVanishedError();
    return real;
  }

  pathTo(name?: string): string {
    return name === undefined ? this.#path : `${this.#path}/${name}`;
  }

  open(flags: number): MaybePromise<number> {
    return this.#calls.open(this.#path, flags);
  }

  close(): MaybePromise<void> {
    return this.#calls.close(this.#descriptor);
  }
}

/**
 * Flag that forbids links: on macOS in every part of a path, on other platforms only in the last part. Node.js exports no
 * constant for the flag of macOS.
 */
const NO_LINKS_ON_PATH = process.platform === 'darwin' ? 0x2000_0000 : (constants.O_NOFOLLOW ?? 0);

/**
 * Pins a file by its real path, which is examined again before each use and after each open. A fast process can still
 * swap directories in between (a race condition).
 */
class RecheckedPinnedPath implements PinnedPath {
  readonly facts: BigIntStats;
  readonly #calls: FileSystemCalls;
  readonly #real: string;

  private constructor(calls: FileSystemCalls, real: string, facts: BigIntStats) {
    this.#calls = calls;
    this.#real = real;
    this.facts = facts;
  }

  static async pin(calls: FileSystemCalls, target: string, follows: boolean): Promise<RecheckedPinnedPath> {
    const real = follows
      ? await calls.realpath(target)
      : path.join(await calls.realpath(path.dirname(target)), path.basename(target));
    const pinned = new RecheckedPinnedPath(calls, real, await calls.lstat(real));
    await pinned.realPath();
    return pinned;
  }

  async realPath(): Promise<string> {
    const parent = path.dirname(this.#real);
    if ((await this.#calls.realpath(parent)) !== parent) throw createVanishedError();
    if (!isSameFile(await this.#calls.lstat(this.#real), this.facts)) throw createVanishedError();
    return this.#real;
  }

  async pathTo(name?: string): Promise<string> {
    const real = await this.realPath();
    return name === undefined ? real : path.join(real, name);
  }

  async open(flags: number): Promise<number> {
    const descriptor = await this.#calls.open(await this.realPath(), flags | NO_LINKS_ON_PATH);
    try {
      if (!isSameFile(await this.#calls.fstat(descriptor), this.facts)) throw createVanishedError();
      await this.realPath();
      return descriptor;
    } catch (error) {
      await this.#calls.close(descriptor);
      throw error;
    }
  }

  close(): void {
    // This object keeps only a path, so no resource has to be released.
  }
}

/** How a root calls the file system and pins paths. */
export interface RootBackend {
  readonly guarantee: Guarantee;
  readonly calls: FileSystemCalls;
  readonly pin: Pin;
}

/** The function that pins a path, for each guarantee. */
const PIN_WITH: Readonly<Record<Guarantee, (calls: FileSystemCalls, target: string, follows: boolean) => Promise<PinnedPath>>> = {
  pinned: DescriptorPinnedPath.pin,
  rechecked: RecheckedPinnedPath.pin,
};

/** Returns the strongest guarantee that the current platform supports. */
export function detectGuarantee(): Guarantee {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'pinned' : 'rechecked';
}

/** Creates the backend of a directory with a known real path. Its mount decides whether calls are synchronous. */
export function createBackend(directory: string, guarantee: Guarantee): RootBackend {
  return createBackendWith(selectCalls(directory), guarantee);
}

/** Creates a backend for a path on an unknown file system. All calls use the thread pool. */
export function createPooledBackend(guarantee: Guarantee): RootBackend {
  return createBackendWith(POOLED_CALLS, guarantee);
}

function createBackendWith(calls: FileSystemCalls, guarantee: Guarantee): RootBackend {
  return { guarantee, calls, pin: (target, follows) => PIN_WITH[guarantee](calls, target, follows) };
}
