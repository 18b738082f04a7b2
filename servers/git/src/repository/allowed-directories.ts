import { isUtf8 } from 'node:buffer';
import { lstatSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import path from 'node:path';

import type { RootDirectory } from '@org/mcp-roots';

type Directory = Pick<RootDirectory, 'path' | 'realPath'>;

/** Longer chains of links end with ELOOP on every platform. */
const MAX_LINKS = 40;

/**
 * Every directory in which clients may work: the operator's directories or, without any, those of all clients so far. Another
 * server may let the same client write there. Therefore a program or a configuration file below one of them is not the user's.
 */
export class AllowedDirectories {
  readonly #directories = new Map<string, Directory>();

  constructor(directories: readonly Directory[] = []) {
    this.add(directories);
  }

  /** Changes whenever a directory was added. */
  get size(): number {
    return this.#directories.size;
  }

  /** Adds the directories that are not below another one. */
  add(directories: readonly Directory[]): void {
    for (const directory of directories)
      if (![...this.#directories.keys()].some((known) => isBelow(directory.realPath, known)))
        this.#directories.set(directory.realPath, directory);
  }

  /**
   * Returns a function that says whether the client may be able to write a file. A name that is not UTF-8 cannot be followed, so such
   * a file counts as one that the client can write.
   *
   * @param directory the base of relative names
   */
  predicate(directory: string): (file: Buffer) => boolean {
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
   * Whether a file is below an allowed directory, or is reached through one: a link in an allowed directory can be replaced, even if
   * it leads out. The file need not exist.
   *
   * @param file an absolute path
   */
  contains(file: string): boolean {
    const known = new Set([...this.#directories.values()].flatMap((each) => [path.resolve(each.path), ...keysOf(each.realPath)]));
    let { root: current } = path.parse(file);
    let links = 0;
    const pending = namesOf(file);
    for (let name = pending.shift(); !keysOf(current).some((key) => known.has(key)); name = pending.shift()) {
      if (name === undefined) return false;
      const next = path.join(current, name);
      const target = targetOf(next);
      if (target !== undefined && (links += 1) > MAX_LINKS) return true;
      if (target === undefined) current = next;
      else if (path.isAbsolute(target)) current = path.parse(target).root;
      pending.unshift(...namesOf(target ?? ''));
    }
    return true;
  }
}

function isBelow(place: string, directory: string): boolean {
  const relative = path.relative(directory, place);
  return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** The names of a path, without the root of the file system. */
function namesOf(place: string): string[] {
  return place
    .slice(path.parse(place).root.length)
    .split(path.sep === '\\' ? /[\\/]/ : '/')
    .filter((name) => name !== '' && name !== '.');
}

/** A directory has two keys. The second one also matches it by another spelling or another mount. */
function keysOf(place: string): readonly string[] {
  const facts = directoryAt(place);
  return facts === undefined ? [place] : [place, `${facts.dev}:${facts.ino}`];
}

function directoryAt(place: string): BigIntStats | undefined {
  try {
    const facts = statSync(place, { bigint: true, throwIfNoEntry: false });
    return facts?.isDirectory() === true ? facts : undefined;
  } catch {
    return undefined;
  }
}

function targetOf(place: string): string | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(place) : undefined;
  } catch {
    return undefined;
  }
}
