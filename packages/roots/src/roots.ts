import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { ToolError } from '@org/mcp-decorators';
import { closestMatch } from 'leven';

import { isContained } from './contained.ts';
import { errorCode, invalidPath, notFound, outsideRoots, refused, rootsRequired } from './failures.ts';
import { verify, type VerifiedPath } from './verified-path.ts';

/** As many links as Linux follows before it answers ELOOP. */
const MAX_LINKS = 40;

/** A directory that may be touched. */
export interface RootDirectory {
  /** Absolute, as the operator named it. */
  readonly path: string;
  /** With every symbolic link resolved. */
  readonly realPath: string;
  readonly uri: string;
}

/** A directory given at start that cannot be a root; for the operator, so its path is named. */
export class RootError extends Error {
  override readonly name: string = 'RootError';
}

/**
 * The directories a server may touch, and the only source of {@link VerifiedPath}s inside them.
 *
 * A path is contained lexically first, then by its real path, so neither `..` nor a symbolic link leads out. What is outside
 * fails with PATH_OUTSIDE_ROOTS whether it exists or not.
 */
export class Roots {
  readonly directories: readonly RootDirectory[];

  private constructor(directories: readonly RootDirectory[]) {
    this.directories = directories;
  }

  /**
   * Resolves the operator's directories; relative ones against the working directory.
   *
   * Throws a {@link RootError} for one that does not exist or is not a directory.
   */
  static async open(directories: readonly string[]): Promise<Roots> {
    return new Roots(await Promise.all(directories.map(openDirectory)));
  }

  /**
   * The verified path of something that exists.
   *
   * @param given absolute, or relative to the first root
   * @throws ToolError PATH_OUTSIDE_ROOTS, NOT_FOUND (with the nearest name), INVALID_PATH, SYMLINK_LOOP, ROOTS_REQUIRED, IO
   */
  async existing(given: string): Promise<VerifiedPath> {
    const target = this.#lexical(given);
    const real = await realpath(target).catch(async (error: unknown) =>
      Promise.reject(await this.#unresolved(given, target, error)),
    );
    return verify(this.#contained(given, real), this.#shown(target), true);
  }

  /**
   * The verified path of something that may be created: its directory must exist, itself it need not.
   *
   * A symbolic link to something inside stands for its target; one that leads nowhere is refused.
   *
   * @throws ToolError as {@link Roots.existing}
   */
  async creatable(given: string): Promise<VerifiedPath> {
    const target = this.#lexical(given);
    const failure: unknown = await lstat(target).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined || this.#isRoot(target)) return this.existing(given);
    if (errorCode(failure) !== 'ENOENT') throw await this.#unresolved(given, target, failure);
    const directory = path.dirname(target);
    const real = await realpath(directory).catch(async (error: unknown) =>
      Promise.reject(await this.#unresolved(given, directory, error)),
    );
    return verify(path.join(this.#contained(given, real), path.basename(target)), this.#shown(target), false);
  }

  #lexical(given: string): string {
    const [first] = this.directories;
    if (first === undefined) throw rootsRequired();
    if (given === '') throw invalidPath('the path is empty');
    if (given.includes('\0')) throw invalidPath('the path contains a NUL character');
    const target = path.resolve(first.path, given);
    if (!this.directories.some((root) => isContained(root.path, target) || isContained(root.realPath, target)))
      throw this.#outside(given);
    return target;
  }

  #outside(given: string): ToolError {
    return outsideRoots(
      given,
      this.directories.map((root) => root.path),
    );
  }

  #contained(given: string, real: string): string {
    if (!this.#holds(real)) throw this.#outside(given);
    return real;
  }

  #holds(real: string): boolean {
    return this.directories.some((root) => isContained(root.realPath, real));
  }

  #shown(target: string): string {
    if (this.directories.some((root) => isContained(root.path, target))) return target;
    const root = this.directories.find(({ realPath }) => isContained(realPath, target));
    return root === undefined ? target : path.join(root.path, path.relative(root.realPath, target));
  }

  #isRoot(target: string): boolean {
    return this.directories.some((root) => root.path === target || root.realPath === target);
  }

  /** Why a path did not resolve. A link that leads out must not tell what is there, whichever error it came to. */
  async #unresolved(given: string, target: string, error: unknown): Promise<Error> {
    const nearest = await deepestEntry(target);
    const code = errorCode(error);
    if (code !== 'ENOTDIR' && code !== 'ENOENT')
      return (await this.#staysInside(nearest)) ? refused(given, error) : this.#outside(given);
    const real = await realpath(nearest).catch(() => undefined);
    if (real === undefined || !this.#holds(real)) return this.#outside(given);
    return notFound(given, await nearNames(nearest, target));
  }

  /** Whether an entry that does not resolve is inside as far as its links can be followed. */
  async #staysInside(entry: string, hops: number = MAX_LINKS): Promise<boolean> {
    if (this.#isRoot(entry)) return true;
    const directory = await realpath(path.dirname(entry)).catch(() => undefined);
    if (directory === undefined || !this.#holds(path.join(directory, path.basename(entry)))) return false;
    const link = await readlink(entry).catch(() => undefined);
    return link === undefined || hops === 0 || this.#staysInside(await deepestEntry(path.resolve(directory, link)), hops - 1);
  }
}

async function openDirectory(given: string): Promise<RootDirectory> {
  const absolute = path.resolve(given);
  const facts = await stat(absolute).catch((error: unknown) => {
    throw new RootError(
      `the directory ${absolute} cannot be used: ${errorCode(error) === 'ENOENT' ? 'it does not exist' : String(error)}`,
      { cause: error },
    );
  });
  if (!facts.isDirectory()) throw new RootError(`${absolute} is not a directory`);
  return { path: absolute, realPath: await realpath(absolute), uri: pathToFileURL(absolute).href };
}

/** The deepest part of a path that is there at all, a dangling link included. */
async function deepestEntry(target: string): Promise<string> {
  // From the top: a path of a million levels that are not there costs one look.
  let current = path.parse(target).root;
  for (const name of target.slice(current.length).split(path.sep)) {
    const next = path.join(current, name);
    const present = await lstat(next).catch(() => undefined);
    if (present === undefined) break;
    current = next;
  }
  return current;
}

async function nearNames(directory: string, target: string): Promise<readonly string[]> {
  const [missing] = path.relative(directory, target).split(path.sep);
  if (missing === undefined || missing === '') return [];
  const names = await readdir(directory).catch(() => []);
  const near = closestMatch(missing, names, { maxDistance: Math.ceil(missing.length / 3) });
  return near === undefined ? [] : [near];
}
