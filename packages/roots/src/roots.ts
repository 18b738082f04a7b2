import { ClientRoot, clientDirectory, type NamedDirectory } from './client-root.ts';
import { excluded, kept, narrowed, type Narrowing, type NarrowingOptions } from './narrowing.ts';
import { openDirectoryOf, type OpenDirectory } from './handles/open-directory.ts';
import { openFileOf, type OpenFile } from './handles/open-file.ts';
import type { Place } from './handles/place.ts';
import type { Guarantee } from './hold/anchor.ts';
import { guaranteeHere } from './hold/platform.ts';
import { OperatorRoot, RootError } from './operator-root.ts';
import { overlapsAny } from './overlap.ts';
import { isContained } from './paths/contained.ts';
import { innermost } from './paths/innermost.ts';
import { REAL } from './paths/naming.ts';
import { entryAt, makeDirectories, placeToMove, placeToWrite } from './places.ts';
import { hiddenAt } from './policy/hidden-at.ts';
import { patternsOf, policyOf } from './policy/policy.ts';
import { Resolver, type Bounded } from './resolver.ts';
import type { Boundary, RootDirectory, RootMode } from './root-directory.ts';
import { verify, type VerifiedPath } from './verified-path.ts';

/** A directory that the operator allows. */
export interface RootSetting {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  /** Default: `rw`. Of several roots that hold a path the innermost counts. */
  readonly mode?: RootMode;
}

/** Options of {@link Roots.open}. */
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
   * Directories of the server's own: nothing in them can be touched, even if they lie inside a root, and no exception changes that.
   * They need not be there yet. Default: none.
   */
  readonly hidden?: readonly string[];
  /** Whether a file may be opened that has a second name, which may lie outside the roots. Default: `allow`. */
  readonly hardLinks?: 'allow' | 'deny';
  /**
   * Whether paths may go through symbolic links that stay inside the roots. Otherwise they fail with DENIED_BY_POLICY; links can still be
   * listed, moved and removed, and the path of a root itself may be one. Default: true.
   */
  readonly followSymlinks?: boolean;
  /**
   * Whether what is mounted below a root may be entered. Otherwise what is on another file system than the root that holds it fails with
   * DENIED_BY_POLICY; a directory of the same one that is mounted there cannot be told apart. Default: true.
   */
  readonly crossMounts?: boolean;
  /**
   * Whether git directories may be changed. With `deny`, changes in a git directory or of a `.git` file, and changes that would
   * create either, fail with DENIED_BY_POLICY. A directory that contains one can still be moved. The same applies to a user's own
   * configuration, `.gitconfig` and `.config/git/config`, which may name programs, too. Reading is not restricted.
   * Default: `allow`.
   */
  readonly gitDirectories?: 'allow' | 'deny';
  /** Default: the better one that this machine can give. */
  readonly guarantee?: Guarantee;
}

type Parts = Omit<Bounded, 'policy'>;

const UNRESTRICTED = { hardLinks: 'allow', followSymlinks: true, crossMounts: true, gitDirectories: 'allow' } as const;

/**
 * The directories a server may touch, and the only source of handles on what is inside them.
 *
 * What a path leads to is held first and then seen to lie inside, and only what is held is used, so neither `..` nor a link nor
 * somebody who swaps them meanwhile leads out. What is outside fails with PATH_OUTSIDE_ROOTS whether it exists or not.
 *
 * All methods that take a path throw `ToolError`s: PATH_OUTSIDE_ROOTS, NOT_FOUND (with the nearest name), INVALID_PATH,
 * SYMLINK_LOOP, AMBIGUOUS_NAME, DENIED_BY_POLICY, ROOT_UNAVAILABLE, ROOT_CHANGED, ROOTS_REQUIRED, IO. A path is absolute, or
 * relative to the first directory.
 */
export class Roots implements AsyncDisposable {
  /** How sure it is that what is used is what was verified. */
  readonly guarantee: Guarantee;
  readonly #parts: Parts;
  readonly #resolver: Resolver;

  private constructor(parts: Parts, guarantee: Guarantee) {
    this.guarantee = guarantee;
    this.#parts = parts;
    const policy = policyOf(parts.operators.length > 0 ? parts.operators : parts.directories, parts.patterns, parts.hidden);
    this.#resolver = new Resolver({ ...parts, policy });
  }

  /**
   * Holds the operator's directories. One that is not there fails with ROOT_UNAVAILABLE until it is.
   *
   * @throws RootError for an empty text, a path that is no directory, one that cannot be looked at, and one that is given both
   *   as `ro` and as `rw`; GlobError
   */
  static async open(
    settings: readonly (string | RootSetting)[],
    { deny = [], denyAnywhere = [], allow = [], hidden = [], guarantee = guaranteeHere(), ...options }: RootsOptions = {},
  ): Promise<Roots> {
    const patterns = patternsOf({ deny, denyAnywhere, allow });
    const restrictions = { ...UNRESTRICTED, ...options, patterns, hidden: await hiddenAt(hidden) };
    const operators = await opened(settings, guarantee);
    return new Roots({ ...restrictions, directories: operators, operators, narrowing: undefined, isNarrowed: false }, guarantee);
  }

  /** Relative paths are taken from the first; empty if none was named. */
  get directories(): readonly RootDirectory[] {
    return this.#parts.directories;
  }

  /** What the client's roots changed, for messages; `undefined` if they changed nothing. */
  get narrowing(): Narrowing | undefined {
    return this.#parts.narrowing;
  }

  /**
   * The roots of one call: these, narrowed to what the client allows and never widened by it. Where there are none, the
   * client's are the boundary. They hold nothing of their own and end with these.
   *
   * @param uris the client's roots; those that are not existing directories count for nothing. `undefined`: it has no say
   */
  async narrowedTo(uris: readonly string[] | undefined, options: NarrowingOptions = {}): Promise<Roots> {
    if (uris === undefined) return this;
    const { operators, directories: before } = this.#parts;
    // The real path of a directory that was missing at the start is not known before it is there.
    await Promise.all(operators.filter(({ device }) => device === undefined).map((root) => root.state()));
    const after = await this.#allowedBy(uris);
    const parties = { uris, operators };
    const isLess = before.some(({ realPath }) => !after.some((each) => each.realPath === realPath));
    if (after.length > 0) return this.#with(after, isLess ? narrowed(parties) : undefined);
    const isKept = options.ifApart === 'keep' && before.length > 0 && !(await overlapsAny(uris, before));
    return isKept ? this.#with(before, kept(parties)) : this.#with([], await excluded(parties, options));
  }

  /** What exists, for other programs and watchers: they can be given nothing but a path, so nobody vouches for what they meet. */
  async existing(given: string): Promise<VerifiedPath> {
    const { anchor, real, shown } = await this.#resolver.find(given);
    await anchor.close();
    return verify(real, shown, anchor.facts);
  }

  /** @throws ToolError also IS_DIRECTORY, NOT_REGULAR_FILE */
  async openFile(given: string): Promise<OpenFile> {
    return openFileOf(await this.#resolver.find(given), this.#parts.hardLinks);
  }

  /** @throws ToolError also NOT_DIRECTORY */
  async openDirectory(given: string): Promise<OpenDirectory> {
    return openDirectoryOf(await this.#resolver.find(given), this.#resolver);
  }

  /**
   * Where content is to go, in a directory that exists: what a link at the end leads to. A link that leads nowhere is refused.
   *
   * @throws ToolError also IS_DIRECTORY for a root, READ_ONLY
   */
  placeToWrite(given: string): Promise<Place> {
    return placeToWrite(this.#resolver, given);
  }

  /**
   * Finds an entry itself, without following a link, to examine it.
   *
   * @throws ToolError also DENIED_BY_POLICY for a root
   */
  entry(given: string): Promise<Place> {
    return entryAt(this.#resolver, given);
  }

  /**
   * An entry itself, a link included: for it to be moved or removed, or for another to come there.
   *
   * @throws ToolError also DENIED_BY_POLICY for a root, READ_ONLY
   */
  placeToMove(given: string): Promise<Place> {
    return placeToMove(this.#resolver, given);
  }

  /**
   * Makes a directory, and those that lead to it, where they are missing.
   *
   * @throws ToolError also NOT_DIRECTORY, READ_ONLY where one is missing
   */
  makeDirectories(given: string): Promise<OpenDirectory> {
    return makeDirectories(this.#resolver, given);
  }

  /** Lets go of the directories; what was opened has to be closed before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#parts.operators.map((root) => root.close()));
  }

  /** What these directories and those of the client have in common, each directory once. */
  async #allowedBy(uris: readonly string[]): Promise<readonly Boundary[]> {
    const { operators, isNarrowed, directories: own } = this.#parts;
    const found = await Promise.all(uris.map((uri) => clientDirectory(uri, operators)));
    const named = found.filter((directory) => directory !== undefined);
    const isBoundary = operators.length === 0 && !isNarrowed;
    const directories = isBoundary
      ? named.map((directory) => new ClientRoot(directory, undefined, this.guarantee))
      : own.flatMap((root) => named.flatMap((client) => this.#common(root, client)));
    return [...new Map(directories.map((directory) => [directory.realPath, directory])).values()];
  }

  #with(directories: readonly Boundary[], narrowing: Narrowing | undefined): Roots {
    return new Roots({ ...this.#parts, directories, narrowing, isNarrowed: true }, this.guarantee);
  }

  /** The smaller of two directories if one contains the other. */
  #common(root: Boundary, client: NamedDirectory): readonly Boundary[] {
    if (isContained(client.realPath, root.realPath, REAL)) return [root];
    if (!isContained(root.realPath, client.realPath, REAL)) return [];
    const within = innermost(this.#parts.operators, client.realPath)?.directory;
    return [new ClientRoot(client, within, this.guarantee)];
  }
}

/** Which of the two was meant nobody can tell, and one of them would be wrong without a word. */
function requireOneMode(roots: readonly OperatorRoot[]): void {
  const modes = new Map<string, RootMode>();
  for (const { path: given, realPath, mode } of roots) {
    if ((modes.get(realPath) ?? mode) !== mode)
      throw new RootError(`the directory ${given} is given both as read-only and as writable`);
    modes.set(realPath, mode);
  }
}

async function opened(settings: readonly (string | RootSetting)[], guarantee: Guarantee): Promise<readonly OperatorRoot[]> {
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
