import { lstat, opendir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { nearest, type ToolError } from '@org/mcp-decorators';

import { isContained } from './contained.ts';
import { errorCode, invalidPath, notFound, outsideRoots, refused, rootsRequired } from './failures.ts';
import { verify, type VerifiedPath } from './verified-path.ts';

/** As many links as Linux follows before it answers ELOOP. */
const MAX_LINKS = 40;

/** In a directory with more entries no similar name is looked for: that would take long. */
const MOST_GUESSES = 1000;

/** As many bytes as Linux takes in a path. */
const MAX_PATH = 4096;

/** A directory that may be touched. */
export interface RootDirectory {
  /** Absolute, as the operator named it. */
  readonly path: string;
  /** With every symbolic link resolved. */
  readonly realPath: string;
  /** A `file:` URI of {@link RootDirectory.path}. */
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
  /** Relative paths are taken from the first; empty if none was named. */
  readonly directories: readonly RootDirectory[];
  /** The client had a say: having no directory then means that it allows none. */
  readonly #narrowed: boolean;

  private constructor(directories: readonly RootDirectory[], narrowed = false) {
    this.directories = directories;
    this.#narrowed = narrowed;
  }

  /**
   * Resolves the operator's directories; relative ones against the working directory.
   *
   * @throws RootError for one that does not exist, is not a directory or is an empty text
   */
  static async open(directories: readonly string[]): Promise<Roots> {
    return new Roots(await Promise.all(directories.map(openDirectory)));
  }

  /**
   * The roots of one call: these, narrowed to what the client allows and never widened by it. Where there are none, the
   * client's are the boundary.
   *
   * @param uris the client's roots; those that are not existing directories count for nothing. `undefined`: it has no say
   */
  async narrowedTo(uris: readonly string[] | undefined): Promise<Roots> {
    if (uris === undefined) return this;
    const allowed = (await Promise.all(uris.map(clientDirectory))).filter((directory) => directory !== undefined);
    if (this.directories.length === 0 && !this.#narrowed) return new Roots(allowed, true);
    const common = this.directories.flatMap((root) => allowed.flatMap((client) => intersection(root, client)));
    return new Roots([...new Map(common.map((directory) => [directory.realPath, directory])).values()], true);
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
    const contained = this.#contained(given, real);
    if (given.endsWith(path.sep)) throw invalidPath('the path ends like that of a directory');
    return verify(path.join(contained, path.basename(target)), this.#shown(target), false);
  }

  #lexical(given: string): string {
    const [first] = this.directories;
    if (first === undefined) throw this.#narrowed ? this.#outside(given) : rootsRequired();
    if (given === '') throw invalidPath('the path is empty');
    if (given.includes('\0')) throw invalidPath('the path contains a NUL character');
    if (Buffer.byteLength(given) > MAX_PATH) throw invalidPath(`the path is longer than ${MAX_PATH} bytes`);
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
  // An unset variable in a client's configuration: the working directory was not meant.
  if (given === '') throw new RootError('a directory is given as an empty text');
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

/** The directory of a client's root; `undefined` for anything else than an existing directory. */
async function clientDirectory(uri: string): Promise<RootDirectory | undefined> {
  try {
    return await openDirectory(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}

/** The smaller of two directories if one contains the other. */
function intersection(root: RootDirectory, client: RootDirectory): readonly RootDirectory[] {
  if (isContained(root.realPath, client.realPath)) return [client];
  return isContained(client.realPath, root.realPath) ? [root] : [];
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
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      if (names.push(name) > MOST_GUESSES) return [];
    }
  } catch {
    return [];
  }
  const near = nearest(missing, names);
  return near === undefined ? [] : [near];
}
