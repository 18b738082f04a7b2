import fs, { constants, type Stats } from 'node:fs';
import path from 'node:path';

import type { WorkerScope } from '@org/mcp-roots';
import { foldName } from '@org/mcp-roots/threads';

/** Flag of Linux that opens a path without access to its content. Node.js has no constant for this flag. */
const O_PATH = 0x20_0000;
const DIRECTORY = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
// O_NONBLOCK: a FIFO that replaced a file must not block the thread.
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A directory whose files can be opened. */
export interface FileDirectory {
  /** Opens a file in the directory. @throws Error of `node:fs` */
  openFile(name: string): OpenedFile;
  close(): void;
}

/** A directory of a walk that was verified to be at its expected path. */
export interface WalkDirectory extends FileDirectory {
  /** A path for calls of `node:fs`. */
  readonly way: string;
  /** Real path of the directory with each name as its parent lists it; rules apply to this path. */
  readonly listed: string;
  /** Size in bytes of the directory itself, which grows with its number of names. */
  readonly size: number;
}

/** Verifies an open file that should be in a directory under a name. */
interface Verifier {
  verifiedSize(descriptor: number, name: string): number;
}

/** An opened file. Its content must not be reported before it is verified. */
export class OpenedFile {
  readonly descriptor: number;
  readonly #name: string;
  readonly #directory: Verifier;

  constructor(descriptor: number, name: string, directory: Verifier) {
    this.descriptor = descriptor;
    this.#name = name;
    this.#directory = directory;
  }

  /**
   * Verifies that the file is a regular file in the directory and was not reached through a link, and returns its size. Verifying
   * is a separate step, because it takes as long as reading, and most files of a search have no match.
   *
   * @throws Error of `node:fs` if the file is another one or may not be opened
   */
  verifiedSize(): number {
    return this.#directory.verifiedSize(this.descriptor, this.#name);
  }
}

/**
 * Opens a directory below the directory of a worker. If the guarantee is `pinned`, the kernel reports the real path of the open
 * descriptor, so swapped links have no effect. Otherwise, the path is verified before use.
 *
 * @throws Error of `node:fs`; ENOENT if the directory was moved or replaced, EXDEV for a file system that may not be entered
 */
export function openWalkDirectory(workerScope: WorkerScope, relative: string): WalkDirectory {
  return workerScope.guarantee === 'pinned'
    ? new PinnedDirectory(workerScope, relative)
    : new RecheckedDirectory(workerScope, relative);
}

/**
 * Returns a directory of an earlier walk, to open files in it.
 *
 * @throws Error of `node:fs`
 */
export function openFileDirectory(workerScope: WorkerScope, relative: string): FileDirectory {
  return workerScope.guarantee === 'pinned'
    ? new UnopenedDirectory(workerScope, relative)
    : new RecheckedDirectory(workerScope, relative);
}

/**
 * A directory that is opened only if a file is not at its expected path. Opening and verifying a directory takes as long as
 * reading three files.
 */
class UnopenedDirectory implements FileDirectory, Verifier {
  readonly #workerScope: WorkerScope;
  readonly #relative: string;
  readonly #real: string;
  #opened: PinnedDirectory | undefined;

  constructor(workerScope: WorkerScope, relative: string) {
    this.#workerScope = workerScope;
    this.#relative = relative;
    this.#real = relative === '' ? workerScope.real : below(workerScope.real, relative);
  }

  openFile(name: string): OpenedFile {
    try {
      return new OpenedFile(fs.openSync(below(this.#real, name), FILE), name, this);
    } catch {
      return this.#open().openFile(name);
    }
  }

  verifiedSize(descriptor: number, name: string): number {
    const isInPlace = fs.readlinkSync(descriptorPath(descriptor)) === below(this.#real, name);
    return isInPlace ? readVerifiedSize(descriptor, this.#workerScope) : this.#open().verifiedSize(descriptor, name);
  }

  close(): void {
    this.#opened?.close();
  }

  #open(): PinnedDirectory {
    this.#opened ??= new PinnedDirectory(this.#workerScope, this.#relative);
    return this.#opened;
  }
}

class PinnedDirectory implements WalkDirectory, Verifier {
  readonly way: string;
  readonly listed: string;
  readonly size: number;
  /** Real path of the directory in the spelling that the kernel reports. */
  readonly real: string;
  readonly #rules: FileRules;
  readonly #descriptor: number | undefined;

  constructor(workerScope: WorkerScope, relative: string) {
    this.#rules = workerScope;
    if (relative === '') {
      this.listed = workerScope.listed;
      this.way = workerScope.base;
      this.real = workerScope.real;
      this.size = fs.statSync(this.way).size;
      return;
    }
    this.listed = below(workerScope.listed, relative);
    this.#descriptor = fs.openSync(`${workerScope.base}/${relative}`, DIRECTORY);
    this.way = descriptorPath(this.#descriptor);
    try {
      this.real = fs.readlinkSync(this.way);
      // The directory where the walk starts may have been moved with its entries, so its current path is accepted as well.
      if (!isAt(this.real, workerScope.real, relative) && !isAt(this.real, fs.readlinkSync(workerScope.base), relative))
        throw moved();
      const facts = fs.fstatSync(this.#descriptor);
      requireDevice(facts, workerScope);
      this.size = facts.size;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  openFile(name: string): OpenedFile {
    return new OpenedFile(this.#open(name), name, this);
  }

  verifiedSize(descriptor: number, name: string): number {
    // The descriptor reports the current path of the file. The directory may have been moved since, so its current path is
    // accepted as well.
    const real = fs.readlinkSync(descriptorPath(descriptor));
    if (!isAt(real, this.real, name) && !isAt(real, fs.readlinkSync(this.way), name)) throw moved();
    return readVerifiedSize(descriptor, this.#rules);
  }

  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
  }

  /** Opens by the real path first: a path through the descriptor takes twice as long, and the file is verified later anyway. */
  #open(name: string): number {
    try {
      return fs.openSync(below(this.real, name), FILE);
    } catch {
      return fs.openSync(below(this.way, name), FILE);
    }
  }
}

class RecheckedDirectory implements WalkDirectory, Verifier {
  readonly way: string;
  readonly listed: string;
  readonly size: number;
  readonly real: string;
  readonly #rules: FileRules;

  constructor(workerScope: WorkerScope, relative: string) {
    this.#rules = workerScope;
    this.listed = path.join(workerScope.listed, relative);
    this.real = path.join(workerScope.base, relative);
    this.way = this.real;
    requireUnmoved(this.real);
    const facts = fs.lstatSync(this.real);
    requireDevice(facts, workerScope);
    this.size = facts.size;
  }

  openFile(name: string): OpenedFile {
    return new OpenedFile(fs.openSync(path.join(this.real, name), FILE), name, this);
  }

  verifiedSize(descriptor: number, name: string): number {
    const real = path.join(this.real, name);
    requireUnmoved(real);
    const now = fs.lstatSync(real, { bigint: true });
    const opened = fs.fstatSync(descriptor, { bigint: true });
    if (now.ino !== opened.ino || now.dev !== opened.dev) throw moved();
    return readVerifiedSize(descriptor, this.#rules);
  }

  close(): void {
    // This directory has no descriptor.
  }
}

type FileRules = Pick<WorkerScope, 'hardLinks' | 'device'>;

function readVerifiedSize(descriptor: number, rules: FileRules): number {
  const facts = fs.fstatSync(descriptor);
  if (!facts.isFile() || (rules.hardLinks === 'deny' && facts.nlink > 1)) throw moved();
  requireDevice(facts, rules);
  return facts.size;
}

/** Requires the only file system that may be entered. Another file system may be mounted on a directory or on a file. */
function requireDevice({ dev }: Stats, { device = dev }: Pick<WorkerScope, 'device'>): void {
  if (dev !== device) throw Object.assign(new Error('EXDEV: another file system'), { code: 'EXDEV' });
}

function descriptorPath(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Returns whether a real path equals a path below a directory. The kernel may report another spelling of a name than the
 * directory lists, so names are compared in their folded form.
 */
function isAt(real: string, directory: string, relative: string): boolean {
  const expected = below(directory, relative);
  if (real === expected) return true;
  const start = below(directory, '');
  return real.startsWith(start) && areEqualFolded(real.slice(start.length), relative);
}

function areEqualFolded(one: string, other: string): boolean {
  const ours = one.split('/');
  const theirs = other.split('/');
  return ours.length === theirs.length && ours.every((name, index) => foldName(name) === foldName(theirs[index] ?? ''));
}

function below(directory: string, relative: string): string {
  return directory.endsWith('/') ? directory + relative : `${directory}/${relative}`;
}

function requireUnmoved(real: string): void {
  if (fs.realpathSync.native(real) !== real) throw moved();
}

function moved(): Error {
  return Object.assign(new Error('ENOENT: moved or replaced'), { code: 'ENOENT' });
}
