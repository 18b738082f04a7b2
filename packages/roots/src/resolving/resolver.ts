import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import type { ToolError } from '@org/mcp-decorators';

import { findListedPathBelow } from '../boundary/listed-path-below.ts';
import type { Narrowing } from '../boundary/narrowing.ts';
import type { OperatorRoot } from '../boundary/operator-root.ts';
import type { Boundary, RootMode } from '../boundary/root-directory.ts';
import {
  createAmbiguousNameError,
  createDeniedError,
  createOutsideRootsError,
  toToolError,
  createRootsRequiredError,
} from '../errors/path-errors.ts';
import { isContained, type DirectoryPaths, deepestContaining, locatePath, type LocatedPath } from '../paths/containment.ts';
import { FOLDED, NAMING, REAL } from '../paths/naming.ts';
import type { PinnedPath, RootBackend } from '../pinning/pinned-path.ts';
import type { HiddenDirectories, CompiledGlobs, Policy } from '../policy/policy.ts';
import type { WorkerScope } from '../policy/worker-scope.ts';
import { explainUnresolved } from './explain-unresolved.ts';
import { findNamesOnDisk, type NamesOnDisk } from './names-on-disk.ts';

/** A pinned file or directory inside the roots. */
export interface ResolvedPath {
  readonly pinned: PinnedPath;
  readonly backend: RootBackend;
  /** Real path at the time of the verification. */
  readonly real: string;
  /** The path as clients see it. */
  readonly shown: string;
  /** The path as the caller wrote it. */
  readonly given: string;
  readonly mode: RootMode;
}

/** How a path is resolved. */
interface ResolveOptions {
  /** Names of the path as its directories list them. Default: they are looked up. */
  readonly onDisk?: NamesOnDisk;
  /** Whether the error for a missing path contains no similar name, for which its directory would be read. Default: false. */
  readonly omitsSimilarName?: boolean | undefined;
}

/** The rules against which paths are resolved. */
export interface AccessRules {
  /** Directories that a call may use. Relative paths start at the first one. */
  readonly directories: readonly Boundary[];
  readonly operators: readonly OperatorRoot[];
  readonly patterns: CompiledGlobs;
  readonly hidden: HiddenDirectories;
  readonly policy: Policy;
  /** Whether the roots of a client were applied. If so, an empty list of `directories` means that no path is allowed. */
  readonly isNarrowed: boolean;
  /**
   * The effect of the client's roots on the operator's directories. `undefined` if no roots were applied, or if the roots allow
   * at least one directory and take nothing from the operator's directories.
   */
  readonly narrowing: Narrowing | undefined;
  readonly hardLinks: 'allow' | 'deny';
  readonly followSymlinks: boolean;
  readonly crossMounts: boolean;
  readonly gitDirectories: 'allow' | 'deny';
}

/**
 * Cause in the error for a path that is inside the directories only by its text. The cause is the same whether or not the
 * target of the link exists.
 */
const LINK_OUT = 'a symbolic link in the path leads outside';

/** Resolves the text of a path to a pinned and verified file or directory. */
export class Resolver {
  readonly rules: AccessRules;

  constructor(rules: AccessRules) {
    this.rules = rules;
  }

  /**
   * Finds the directory that contains a path. Examines only the text of the path.
   *
   * @throws ToolError PATH_OUTSIDE_ROOTS for a path outside the directories, ROOTS_REQUIRED if there are no directories,
   *   INVALID_PATH for a text that is not a path, DENIED_BY_POLICY for a path that the policy denies
   */
  locate(given: string): LocatedPath<Boundary> {
    const { directories, isNarrowed } = this.rules;
    if (directories.length === 0 && !isNarrowed) throw createRootsRequiredError();
    const located = locatePath(given, directories);
    if (located === undefined) throw this.#createOutsideError(given);
    this.requirePermitted(located.target, given);
    return located;
  }

  /**
   * Pins the target of a path and then verifies it.
   *
   * @throws ToolError as {@link Resolver.locate}, NOT_FOUND, SYMLINK_LOOP, AMBIGUOUS_NAME, ROOT_UNAVAILABLE, ROOT_CHANGED, IO
   */
  async resolve(
    given: string,
    located: LocatedPath<Boundary> = this.locate(given),
    { onDisk, omitsSimilarName }: ResolveOptions = {},
  ): Promise<ResolvedPath> {
    const { directory, target } = located;
    const found = onDisk ?? (await findNamesOnDisk(located));
    if (!this.rules.followSymlinks) await refuseLinks(directory, found.names, given);
    const pinned = await directory.backend
      .pin(path.join(found.base, ...found.names), true)
      .catch(async (error: unknown) =>
        Promise.reject(await this.#explainUnresolved(given, target, { error, directory, omitsSimilarName })),
      );
    try {
      return await this.#verify(pinned, located, found, given);
    } catch (error) {
      await pinned.close();
      throw toToolError(given, error);
    }
  }

  /** Verifies that a pinned file or directory is the permitted target of a path. */
  async #verify(
    pinned: PinnedPath,
    { directory, target }: LocatedPath<Boundary>,
    { names, conflict, unlisted }: NamesOnDisk,
    given: string,
  ): Promise<ResolvedPath> {
    const real = await this.#findPinnedListedPath(pinned, directory, names);
    if (!this.rules.followSymlinks && !NAMING.areEqual(real, path.join(directory.realPath, ...names)))
      throw createLinkError(given);
    this.requireInside(real, pinned.facts, given);
    if (conflict !== undefined) throw createAmbiguousNameError(given, conflict.names);
    if (unlisted !== undefined) throw unlisted.error;
    const listed = path.join(target, ...names.map(() => '..'), ...names);
    // A link may be denied by its own name, even if its target is permitted.
    if (listed !== target) this.requirePermitted(listed, given);
    const shown = this.#toShownPath(listed);
    return { pinned, backend: directory.backend, real, shown, given, mode: this.modeAt(real) };
  }

  locateReal(real: string, given: string): LocatedPath<Boundary> {
    const containment = deepestContaining(this.rules.directories, real);
    if (containment === undefined) throw this.#createOutsideError(given);
    return { ...containment, target: real };
  }

  /**
   * @throws ToolError PATH_OUTSIDE_ROOTS for a real path outside the directories, DENIED_BY_POLICY if the policy denies the
   *   path, or if it is on another file system that may not be entered
   */
  requireInside(real: string, facts: BigIntStats, given: string): void {
    const refusal = this.#findRefusal(real, facts, given);
    if (refusal !== undefined) throw refusal;
    this.requirePermitted(real, given);
  }

  modeAt(real: string): RootMode {
    const { operators } = this.rules;
    // The name of a root that was missing at the start may be listed in another spelling later.
    const isOfMissing = operators.some(
      ({ mode, device, path: given }) => mode === 'ro' && device === undefined && isContainedOnlyFolded(given, real),
    );
    return isOfMissing ? 'ro' : (deepestContaining(operators, real)?.directory.mode ?? 'rw');
  }

  isForbidden(real: string): boolean {
    return this.rules.policy.explainDenial(real) !== undefined;
  }

  /** Returns the same rules as plain values for a worker thread. */
  workerRules({
    guarantee,
    calls,
  }: RootBackend): Pick<WorkerScope, 'guarantee' | 'isLocal' | 'denials' | 'directories' | 'hardLinks'> {
    const { directories, operators, patterns, hidden, hardLinks } = this.rules;
    const named = (roots: readonly DirectoryPaths[]): readonly DirectoryPaths[] =>
      roots.map(({ path: shown, realPath }) => ({ path: shown, realPath }));
    return {
      guarantee,
      isLocal: calls.isSynchronous,
      denials: {
        roots: named(operators.length > 0 ? operators : directories),
        deny: patterns.deny,
        denyAnywhere: patterns.denyAnywhere,
        allow: patterns.allow,
        hidden,
      },
      directories: named(directories),
      hardLinks,
    };
  }

  /**
   * Returns the reason why a path must not be moved or removed: the path is or contains a root or a directory of the
   * server. Returns `undefined` if the path may be moved and removed.
   */
  explainImmovable(real: string): string | undefined {
    const { operators, directories, policy } = this.rules;
    const holdsRoot = [...operators, ...directories].some(({ realPath }) => isContained(real, realPath));
    return holdsRoot ? 'is an allowed directory or contains one' : policy.explainImmovable(real);
  }

  /** @throws ToolError DENIED_BY_POLICY if the policy denies the path */
  requirePermitted(absolute: string, given: string): void {
    const reason = this.rules.policy.explainDenial(absolute);
    if (reason !== undefined) throw createDeniedError(given, reason);
  }

  #findRefusal(real: string, { dev }: BigIntStats, given: string): ToolError | undefined {
    if (!this.#contains(real)) return this.#createOutsideError(given, LINK_OUT);
    const { crossMounts, operators, directories } = this.rules;
    if (crossMounts) return undefined;
    const root = deepestContaining(operators.length > 0 ? operators : directories, real)?.directory;
    return root?.device === dev
      ? undefined
      : createDeniedError(given, 'is on another file system than the allowed directory that contains it');
  }

  #createOutsideError(given: string, ...causes: readonly string[]): ToolError {
    const { directories, narrowing } = this.rules;
    const allowed = directories.map(({ path: shown }) => shown);
    // If the client's roots left all directories allowed, these roots did not cause the error, so the hint omits them.
    const narrowed = narrowing === undefined || narrowing.outcome === 'kept' ? [] : [narrowing.text];
    return createOutsideRootsError(given, allowed, [...causes, ...narrowed]);
  }

  #contains(real: string): boolean {
    return this.rules.directories.some(({ realPath }) => isContained(realPath, real, REAL));
  }

  #toShownPath(target: string): string {
    const { directories } = this.rules;
    if (directories.some((root) => isContained(root.path, target))) return target;
    const root = directories.find(({ realPath }) => isContained(realPath, target));
    return root === undefined ? target : path.join(root.path, path.relative(root.realPath, target));
  }

  /**
   * Returns the path of an open file or directory with each name as its parent lists it. The kernel may report another spelling,
   * but rules and modes apply to listed names.
   */
  async #findPinnedListedPath(pinned: PinnedPath, boundary: Boundary, names: readonly string[]): Promise<string> {
    const real = await pinned.realPath();
    return real === path.join(boundary.realPath, ...names) ? real : this.#findListedPath(real, boundary);
  }

  #findListedPath(real: string, { backend }: Boundary): Promise<string> {
    const { operators, directories } = this.rules;
    return findListedPathBelow([...operators, ...directories], real, backend.calls);
  }

  #explainUnresolved(given: string, target: string, { error, directory, omitsSimilarName }: Failure): Promise<ToolError> {
    const { directories, policy } = this.rules;
    return explainUnresolved(
      { given, target, error, omitsSimilarName },
      {
        ...directory.backend,
        outside: this.#createOutsideError(given, LINK_OUT),
        contains: (real) => this.#contains(real),
        findListedPath: (real) => this.#findListedPath(real, directory),
        findRefusal: (real, facts) => this.#findRefusal(real, facts, given),
        isRoot: (absolute) => directories.some((root) => root.path === absolute || root.realPath === absolute),
        explainDenial: policy.explainDenial,
      },
    );
  }
}

/** Returns whether a path is inside a directory only if differences in spelling are ignored. */
function isContainedOnlyFolded(directory: string, candidate: string): boolean {
  return !isContained(directory, candidate) && isContained(directory, candidate, FOLDED);
}

interface Failure {
  readonly error: unknown;
  readonly directory: Boundary;
  readonly omitsSimilarName: boolean | undefined;
}

/**
 * Refuses links without examining their targets, so that the error does not depend on whether a target exists. A link that is
 * created later is detected by the pinned path.
 *
 * @throws ToolError DENIED_BY_POLICY if a name is a link
 */
async function refuseLinks(directory: Boundary, names: readonly string[], given: string): Promise<void> {
  const { calls } = directory.backend;
  let location = await directory.accessPath([]);
  for (const name of names) {
    location = path.join(location, name);
    const facts = await Promise.resolve()
      .then(() => calls.lstat(location))
      .catch(() => undefined);
    if (facts === undefined) return;
    if (facts.isSymbolicLink()) throw createLinkError(given);
  }
}

function createLinkError(given: string): ToolError {
  return createDeniedError(given, 'contains a symbolic link, and symbolic links are not followed');
}
