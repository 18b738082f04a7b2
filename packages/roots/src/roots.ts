import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { ClientRoot, resolveClientDirectory, type ClientDirectory } from './boundary/client-root.ts';
import { describeExcluded, describeKept, describeNarrowed, type Narrowing, type NarrowingOptions } from './boundary/narrowing.ts';
import { OperatorRoot, RootError } from './boundary/operator-root.ts';
import type { Boundary, RootDirectory, RootMode } from './boundary/root-directory.ts';
import { openResolvedDirectory, type OpenDirectory } from './handles/open-directory.ts';
import { openResolvedFile, type OpenFile } from './handles/open-file.ts';
import { type PathEntry, findEntry, makeDirectories, findEntryToMove, findEntryToWrite } from './handles/path-entry.ts';
import { createVerifiedPath, type VerifiedPath } from './handles/verified-path.ts';
import { isContained, deepestContaining, type DirectoryPaths } from './paths/containment.ts';
import { REAL } from './paths/naming.ts';
import { type Guarantee, detectGuarantee } from './pinning/pinned-path.ts';
import { compileGlobs, createPolicy, resolveHidden } from './policy/policy.ts';
import { Resolver, type AccessRules } from './resolving/resolver.ts';
import { parseFileUri } from './paths/file-uri.ts';
import { attempt, findDeepestEntry } from './pinning/deepest-entry.ts';
import type { FileSystemCalls } from './pinning/file-system-calls.ts';
import { selectCalls } from './pinning/mounts.ts';

/** A directory that the operator allows. */
export interface RootSetting {
  /** Absolute path, or relative to the working directory. */
  readonly path: string;
  /** Default: `rw`. If several roots contain a path, the deepest one decides. */
  readonly mode?: RootMode;
}

/** Options for {@link Roots.open}. */
export interface RootsOptions {
  /**
   * Globs that deny access to files and whole directories, relative to each root that contains a path. A glob without a slash is
   * compared with every name on the path. Globs match every spelling that some file system treats as equal: `.env` also denies
   * `.ENV`. Default: no globs.
   */
  readonly deny?: readonly string[];
  /**
   * Like {@link RootsOptions.deny}, but compared with the whole real path: `.ssh` also denies the contents of the root `~/.ssh`,
   * and `.docker/config.json` denies that file in the root `~/.docker`. A root itself can still be listed. Default: no globs.
   */
  readonly denyAnywhere?: readonly string[];
  /**
   * Globs of exceptions from `deny` and `denyAnywhere`, relative to each root that contains a path. They match only the spelling on
   * the disk. Default: no globs.
   */
  readonly allow?: readonly string[];
  /**
   * The server's own directories. Their contents cannot be accessed, even inside a root, and no exception changes that. They need
   * not exist yet. Default: no directories.
   */
  readonly hidden?: readonly string[];
  /** Whether a file with a second hard link may be opened. The other name may be outside the roots. Default: `allow`. */
  readonly hardLinks?: 'allow' | 'deny';
  /**
   * Whether paths may contain symbolic links whose targets are inside the roots. If `false`, such paths fail with
   * DENIED_BY_POLICY. Links can still be listed, moved and removed, and the path of a root itself may contain links.
   * Default: true.
   */
  readonly followSymlinks?: boolean;
  /**
   * Whether file systems mounted below a root may be entered. If `false`, paths on another file system than their root fail with
   * DENIED_BY_POLICY. A bind mount from the same file system is not recognised. Default: true.
   */
  readonly crossMounts?: boolean;
  /**
   * Whether git directories may be changed. With `deny`, changes in a git directory or of a `.git` file, and changes that would
   * create either, fail with DENIED_BY_POLICY. A directory that contains a git directory can still be moved. The same applies to
   * a user's own configuration, `.gitconfig` and `.config/git/config`, because it may name programs that git runs. Reading is not
   * restricted. Default: `allow`.
   */
  readonly gitDirectories?: 'allow' | 'deny';
  /** Default: the strongest guarantee that the platform supports. */
  readonly guarantee?: Guarantee;
}

type RootsRules = Omit<AccessRules, 'policy'>;

const UNRESTRICTED = { hardLinks: 'allow', followSymlinks: true, crossMounts: true, gitDirectories: 'allow' } as const;

/**
 * The directories that a server may access. Handles on their contents come only from this class. A path is pinned first and then
 * verified to be inside a directory, and only the pinned file is used. So neither `..`, nor a link, nor a process that swaps
 * directories can reach a file outside. With the guarantee `rechecked`, a fast process that swaps directories can. A path outside
 * fails with PATH_OUTSIDE_ROOTS, whether or not it exists. All methods that take a path throw `ToolError`s: PATH_OUTSIDE_ROOTS,
 * NOT_FOUND (with the most similar name), INVALID_PATH, SYMLINK_LOOP, AMBIGUOUS_NAME, DENIED_BY_POLICY, ROOT_UNAVAILABLE,
 * ROOT_CHANGED, ROOTS_REQUIRED, IO. A path is absolute, or relative to the first directory.
 */
export class Roots implements AsyncDisposable {
  /** Strength of the guarantee that an operation uses the verified file. */
  readonly guarantee: Guarantee;
  readonly #rules: RootsRules;
  readonly #resolver: Resolver;

  private constructor(parts: RootsRules, guarantee: Guarantee) {
    this.guarantee = guarantee;
    this.#rules = parts;
    const policy = createPolicy(parts.operators.length > 0 ? parts.operators : parts.directories, parts.patterns, parts.hidden);
    this.#resolver = new Resolver({ ...parts, policy });
  }

  /**
   * Pins the operator's directories. Paths in a missing directory fail with ROOT_UNAVAILABLE until it exists.
   *
   * @throws RootError for an empty path, a path that is not a directory, a directory that cannot be examined or whose real
   *   path is not valid UTF-8, and a directory that is given both as `ro` and as `rw`; GlobError for an invalid glob
   */
  static async open(
    settings: readonly (string | RootSetting)[],
    { deny = [], denyAnywhere = [], allow = [], hidden = [], guarantee = detectGuarantee(), ...options }: RootsOptions = {},
  ): Promise<Roots> {
    const patterns = compileGlobs({ deny, denyAnywhere, allow });
    const restrictions = { ...UNRESTRICTED, ...options, patterns, hidden: await resolveHidden(hidden) };
    const operators = await openOperatorRoots(settings, guarantee);
    return new Roots({ ...restrictions, directories: operators, operators, narrowing: undefined, isNarrowed: false }, guarantee);
  }

  /** The allowed directories, empty if none was given. Relative paths start at the first one. */
  get directories(): readonly RootDirectory[] {
    return this.#rules.directories;
  }

  /**
   * The effect of the client's roots, for messages. `undefined` if no roots were applied, or if the roots allow at least one
   * directory and take nothing from the operator's directories.
   */
  get narrowing(): Narrowing | undefined {
    return this.#rules.narrowing;
  }

  /**
   * Returns the roots of one call: these directories, narrowed to those that the client allows, never widened. If the operator
   * gave no directories, the directories of the client's roots are allowed. The result shares the resources of this object and
   * must not be used after this object was disposed of.
   *
   * @param uris the client's roots; a root that is not an existing directory is ignored. `undefined` if no roots apply; the
   *   result is then this object
   */
  async narrowedTo(uris: readonly string[] | undefined, options: NarrowingOptions = {}): Promise<Roots> {
    if (uris === undefined) return this;
    const { operators, directories: before } = this.#rules;
    // The real path of a directory that was missing at the start is unknown until the directory exists.
    await Promise.all(operators.filter(({ device }) => device === undefined).map((root) => root.state()));
    const after = await this.#findAllowed(uris);
    const parties = { uris, operators };
    const isLess = before.some(({ realPath }) => !after.some((each) => each.realPath === realPath));
    if (after.length > 0) return this.#restrictTo(after, isLess ? describeNarrowed(parties) : undefined);
    const isKept = options.ifApart === 'keep' && before.length > 0 && !(await overlapsAny(uris, before));
    return isKept
      ? this.#restrictTo(before, describeKept(parties))
      : this.#restrictTo([], await describeExcluded(parties, options));
  }

  /**
   * Verifies an existing path for child processes and watchers. They accept only paths, so the file may change before they use
   * it.
   */
  async resolveExisting(given: string): Promise<VerifiedPath> {
    const { pinned, real, shown } = await this.#resolver.resolve(given);
    await pinned.close();
    return createVerifiedPath(real, shown, pinned.facts);
  }

  /** Opens a regular file. @throws ToolError also IS_DIRECTORY for a directory, NOT_REGULAR_FILE for a FIFO, socket or device */
  async openFile(given: string): Promise<OpenFile> {
    return openResolvedFile(await this.#resolver.resolve(given), this.#rules.hardLinks);
  }

  /** Opens a directory. @throws ToolError also NOT_DIRECTORY for another entry */
  async openDirectory(given: string): Promise<OpenDirectory> {
    return openResolvedDirectory(await this.#resolver.resolve(given), this.#resolver);
  }

  /** Opens a directory. Resolves to `undefined` for a missing path. @throws ToolError also NOT_DIRECTORY for another entry */
  async openDirectoryIfExists(given: string): Promise<OpenDirectory | undefined> {
    const resolved = await this.#resolver.resolve(given, undefined, { omitsSimilarName: true }).catch((error: unknown) => {
      if (ToolError.is(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    return resolved && (await openResolvedDirectory(resolved, this.#resolver));
  }

  /**
   * Finds the entry to which content is written, in an existing directory. A link at the end of the path is followed; a
   * dangling link is rejected.
   * @throws ToolError also IS_DIRECTORY for a root and for a link to a directory, READ_ONLY in a read-only root
   */
  findEntryToWrite(given: string): Promise<PathEntry> {
    return findEntryToWrite(this.#resolver, given);
  }

  /**
   * Finds the entry itself, without following a link, for a call that examines the entry.
   * @throws ToolError also DENIED_BY_POLICY for a root
   */
  findEntry(given: string): Promise<PathEntry> {
    return findEntry(this.#resolver, given);
  }

  /**
   * Finds the entry itself, without following a link, for a call that moves, removes or creates the entry.
   * @throws ToolError also DENIED_BY_POLICY for a root, READ_ONLY in a read-only root
   */
  findEntryToMove(given: string): Promise<PathEntry> {
    return findEntryToMove(this.#resolver, given);
  }

  /**
   * Creates a directory and its missing parents.
   *
   * @throws ToolError also NOT_DIRECTORY if the path contains another entry, READ_ONLY if a directory is missing in a
   *   read-only root
   */
  makeDirectories(given: string): Promise<OpenDirectory> {
    return makeDirectories(this.#resolver, given);
  }

  /** Releases the directories. All handles must be closed first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#rules.operators.map((root) => root.close()));
  }

  /**
   * Returns the directories that both these roots and the client's roots contain, each directory once. Without directories of
   * the operator, returns the client's directories.
   */
  async #findAllowed(uris: readonly string[]): Promise<readonly Boundary[]> {
    const { operators, isNarrowed, directories: own } = this.#rules;
    const found = await Promise.all(uris.map((uri) => resolveClientDirectory(uri, operators)));
    const named = found.filter((directory) => directory !== undefined);
    const isBoundary = operators.length === 0 && !isNarrowed;
    const directories = isBoundary
      ? named.map((directory) => new ClientRoot(directory, undefined, this.guarantee))
      : own.flatMap((root) => named.flatMap((client) => this.#intersect(root, client)));
    return [...new Map(directories.map((directory) => [directory.realPath, directory])).values()];
  }

  #restrictTo(directories: readonly Boundary[], narrowing: Narrowing | undefined): Roots {
    return new Roots({ ...this.#rules, directories, narrowing, isNarrowed: true }, this.guarantee);
  }

  /** Returns the smaller of two directories if one contains the other, otherwise an empty list. */
  #intersect(root: Boundary, client: ClientDirectory): readonly Boundary[] {
    if (isContained(client.realPath, root.realPath, REAL)) return [root];
    if (!isContained(root.realPath, client.realPath, REAL)) return [];
    const within = deepestContaining(this.#rules.operators, client.realPath)?.directory;
    return [new ClientRoot(client, within, this.guarantee)];
  }
}

/** @throws RootError if a directory is given in both modes: the operator's intention is unknown, and each mode may be wrong */
function requireOneMode(roots: readonly OperatorRoot[]): void {
  const modes = new Map<string, RootMode>();
  for (const { path: given, realPath, mode } of roots) {
    if ((modes.get(realPath) ?? mode) !== mode)
      throw new RootError(`the directory ${given} is given both as read-only and as writable`);
    modes.set(realPath, mode);
  }
}

async function openOperatorRoots(
  settings: readonly (string | RootSetting)[],
  guarantee: Guarantee,
): Promise<readonly OperatorRoot[]> {
  const operators: OperatorRoot[] = [];
  try {
    for (const setting of settings) {
      const { path: given, mode = 'rw' } = typeof setting === 'string' ? { path: setting } : setting;
      operators.push(await OperatorRoot.open(given, mode, guarantee));
    }
    requireOneMode(operators);
    return operators;
  } catch (error) {
    await Promise.all(operators.map((root) => root.close()));
    throw error;
  }
}

/** Maximum number of links that are followed. Linux rejects more than 40 links with ELOOP, macOS more than 32. */
const MAX_LINKS = 40;

/**
 * Returns whether a root of a client is, contains or is inside one of the directories. The root need not exist: if a
 * project is deleted, the limits of its client must remain. For the same reason, a `file:` URI that contains no valid
 * path, such as one with `..`, counts as an overlap.
 */
async function overlapsAny(uris: readonly string[], directories: readonly DirectoryPaths[]): Promise<boolean> {
  if (uris.some((uri) => /^file:/i.test(uri) && parseFileUri(uri) === undefined)) return true;
  const places = await Promise.all(uris.map(resolveUri));
  return places.some((place) => place !== undefined && directories.some(({ realPath }) => overlaps(place, realPath)));
}

function overlaps(one: string, other: string): boolean {
  return isContained(one, other) || isContained(other, one);
}

async function resolveUri(uri: string): Promise<string | undefined> {
  const named = parseFileUri(uri);
  if (named === undefined) return undefined;
  const absolute = path.resolve(named);
  return resolveExistingPart(absolute, selectCalls(absolute));
}

/** Returns the real path of a path whose last names may be missing. */
async function resolveExistingPart(absolute: string, calls: FileSystemCalls, links = 0): Promise<string> {
  const entry = await findDeepestEntry(absolute, calls);
  const missing = path.relative(entry, absolute);
  const real = await attempt(calls.realpath, entry);
  if (real !== undefined) return path.join(real, missing);
  // A dangling link has no real path, but its text still names a target.
  const target = links < MAX_LINKS ? await attempt(calls.readlink, entry) : undefined;
  if (target === undefined) return absolute;
  return resolveExistingPart(path.join(path.resolve(path.dirname(entry), target), missing), calls, links + 1);
}
