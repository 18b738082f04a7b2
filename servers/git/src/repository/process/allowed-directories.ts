import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import path from 'node:path';

import type { RootDirectory } from '@org/mcp-roots';

type Directory = Pick<RootDirectory, 'path' | 'realPath'>;

/**
 * Maximum number of links on the path to a file. A file behind more links counts as inside an allowed directory. Linux follows 40
 * links, macOS 32.
 */
const MAX_LINKS = 40;

/**
 * The directories in which clients may work: the operator's directories or, without any, the directories of all clients so far.
 * Another server may let the same client write in these directories. Therefore a program or a configuration file below such a
 * directory does not count as the user's.
 */
export class AllowedDirectories {
  readonly #directories = new Map<string, Directory>();

  constructor(directories: readonly Directory[] = []) {
    this.add(directories);
  }

  /** The number of directories. It changes whenever a directory is added. */
  get size(): number {
    return this.#directories.size;
  }

  /** Adds the directories that are not below a known directory. */
  add(directories: readonly Directory[]): void {
    for (const directory of directories)
      if (![...this.#directories.keys()].some((known) => isBelow(directory.realPath, known)))
        this.#directories.set(directory.realPath, directory);
  }

  /**
   * Returns a function that reports whether a client may be able to write a file. A name that is not UTF-8 cannot be resolved, so
   * such a file counts as writable.
   *
   * @param directory the base of relative names
   */
  createPredicate(directory: string): (file: Buffer) => boolean {
    const known = new Map<string, boolean>();
    return (file) => {
      const name = file.toString('utf8');
      const isInside =
        known.get(name) ?? (!isUtf8(file) || name.includes('\uFFFD') || this.contains(path.resolve(directory, name)));
      known.set(name, isInside);
      return isInside;
    };
  }

  /**
   * Whether a file is below an allowed directory, or is reached through one. A link in an allowed directory can be replaced, even
   * if its target is outside. The file need not exist.
   *
   * @param file an absolute path
   */
  contains(file: string): boolean {
    const known = new Set(
      [...this.#directories.values()].flatMap((each) => [path.resolve(each.path), ...identifyDirectory(each.realPath)]),
    );
    let { root: current } = path.parse(file);
    let links = 0;
    const pending = splitPath(file);
    for (let name = pending.shift(); !identifyDirectory(current).some((key) => known.has(key)); name = pending.shift()) {
      if (name === undefined) return false;
      const next = path.join(current, name);
      const target = readLinkTarget(next);
      if (target !== undefined && (links += 1) > MAX_LINKS) return true;
      if (target === undefined) current = next;
      else if (path.isAbsolute(target)) current = path.parse(target).root;
      pending.unshift(...splitPath(target ?? ''));
    }
    return true;
  }
}

function isBelow(place: string, directory: string): boolean {
  const relative = path.relative(directory, place);
  return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** Splits a path into its names, without the root of the file system. */
function splitPath(place: string): string[] {
  return place
    .slice(path.parse(place).root.length)
    .split(path.sep === '\\' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.');
}

/** Returns the keys of a path. A directory has a second key, which matches it under another spelling or another mount. */
function identifyDirectory(place: string): readonly string[] {
  const facts = statDirectory(place);
  return facts === undefined ? [place] : [place, `${facts.dev}:${facts.ino}`];
}

function statDirectory(place: string): BigIntStats | undefined {
  try {
    const facts = statSync(place, { bigint: true, throwIfNoEntry: false });
    return facts?.isDirectory() === true ? facts : undefined;
  } catch {
    return undefined;
  }
}

function readLinkTarget(place: string): string | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(place) : undefined;
  } catch {
    return undefined;
  }
}
