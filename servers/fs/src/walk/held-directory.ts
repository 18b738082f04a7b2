import fs, { constants, type Stats } from 'node:fs';
import path from 'node:path';

import type { ThreadGround } from '@org/mcp-roots';
import { foldName } from '@org/mcp-roots/threads';

/** Finds a directory without opening it; Node.js does not name it. */
const O_PATH = 0x20_0000;
const DIRECTORY = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
// O_NONBLOCK: a FIFO that took the place of a file does not hold the thread.
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A directory of a walk, seen to be where the walk expects it, and what is opened in it. */
export interface HeldDirectory {
  /** A path for calls of `node:fs`. */
  readonly way: string;
  /** Real path of the directory with each name as its parent lists it; rules apply to this path. */
  readonly listed: string;
  /** Opens what is to be a file in it. Throws where there is none. */
  openFile(name: string): OpenedFile;
  close(): void;
}

/** What was opened; nothing of it is to be told before it is verified. */
export class OpenedFile {
  readonly descriptor: number;
  readonly #name: string;
  readonly #directory: PinnedDirectory | RecheckedDirectory;

  constructor(descriptor: number, name: string, directory: PinnedDirectory | RecheckedDirectory) {
    this.descriptor = descriptor;
    this.#name = name;
    this.#directory = directory;
  }

  /**
   * Its size, once it is seen to be a regular file in the directory, to which no link led. Throws where it is not. Most files of a search
   * are of no interest, and to verify one takes as long as to read it.
   */
  verifiedSize(): number {
    return this.#directory.verifiedSize(this.descriptor, this.#name);
  }
}

/**
 * Holds a directory below that of a thread's ground. No part of its path was a link and none leads elsewhere, whoever swaps them: what
 * is held says itself where it is.
 *
 * @throws Error of `node:fs`; ENOENT where it is not what it was
 */
export function holdDirectory(ground: ThreadGround, relative: string): HeldDirectory {
  return ground.guarantee === 'pinned' ? new PinnedDirectory(ground, relative) : new RecheckedDirectory(ground, relative);
}

class PinnedDirectory implements HeldDirectory {
  readonly way: string;
  readonly listed: string;
  /** Real path of the directory in the spelling that the kernel reports. */
  readonly real: string;
  readonly #rules: FileRules;
  readonly #descriptor: number | undefined;

  constructor(ground: ThreadGround, relative: string) {
    this.#rules = ground;
    this.listed = path.join(ground.listed, relative);
    if (relative === '') {
      this.way = ground.base;
      this.real = ground.real;
      return;
    }
    this.#descriptor = fs.openSync(`${ground.base}/${relative}`, DIRECTORY);
    this.way = wayOf(this.#descriptor);
    try {
      this.real = fs.readlinkSync(this.way);
      // The first one may have been moved since; what is in it then moved with it.
      if (!isAt(this.real, ground.real, relative) && !isAt(this.real, fs.readlinkSync(ground.base), relative)) throw moved();
      if (ground.device !== undefined) requireDevice(fs.fstatSync(this.#descriptor), ground);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  openFile(name: string): OpenedFile {
    return new OpenedFile(this.#open(name), name, this);
  }

  verifiedSize(descriptor: number, name: string): number {
    // What is held says where it is; the directory itself may have been moved meanwhile.
    const real = fs.readlinkSync(wayOf(descriptor));
    if (!isAt(real, this.real, name) && !isAt(real, fs.readlinkSync(this.way), name)) throw moved();
    return sizeOf(descriptor, this.#rules);
  }

  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
  }

  /** A path through the descriptor takes twice as long, and is not needed for what is verified later. */
  #open(name: string): number {
    try {
      return fs.openSync(below(this.real, name), FILE);
    } catch {
      return fs.openSync(below(this.way, name), FILE);
    }
  }
}

class RecheckedDirectory implements HeldDirectory {
  readonly way: string;
  readonly listed: string;
  readonly real: string;
  readonly #rules: FileRules;

  constructor(ground: ThreadGround, relative: string) {
    this.#rules = ground;
    this.listed = path.join(ground.listed, relative);
    this.real = path.join(ground.base, relative);
    this.way = this.real;
    requireUnmoved(this.real);
    if (ground.device !== undefined) requireDevice(fs.lstatSync(this.real), ground);
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
    return sizeOf(descriptor, this.#rules);
  }

  close(): void {
    // Nothing is held but a path.
  }
}

type FileRules = Pick<ThreadGround, 'hardLinks' | 'device'>;

function sizeOf(descriptor: number, rules: FileRules): number {
  const facts = fs.fstatSync(descriptor);
  if (!facts.isFile() || (rules.hardLinks === 'deny' && facts.nlink > 1)) throw moved();
  requireDevice(facts, rules);
  return facts.size;
}

/** Something may be mounted on a directory, and on a file too. */
function requireDevice({ dev }: Stats, { device = dev }: Pick<ThreadGround, 'device'>): void {
  if (dev !== device) throw Object.assign(new Error('EXDEV: it is on another file system'), { code: 'EXDEV' });
}

function wayOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Whether a real path equals a path below a directory. The kernel may report another spelling of a name than the listed one, so
 * names are compared in their folded form.
 */
function isAt(real: string, directory: string, relative: string): boolean {
  const expected = below(directory, relative);
  if (real === expected) return true;
  const start = below(directory, '');
  return real.startsWith(start) && isSameByFolding(real.slice(start.length), relative);
}

function isSameByFolding(one: string, other: string): boolean {
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
  return Object.assign(new Error('ENOENT: it is not what it was'), { code: 'ENOENT' });
}
