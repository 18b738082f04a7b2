import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import type { ToolError } from '@org/mcp-decorators';

import { ambiguous, denied, outsideRoots, refused, rootsRequired } from './failures.ts';
import type { Anchor } from './hold/anchor.ts';
import type { Ground } from './hold/ground.ts';
import type { Narrowing } from './narrowing.ts';
import type { ThreadGround } from './handles/thread-ground.ts';
import type { OperatorRoot } from './operator-root.ts';
import { listedBelow } from './listed-below.ts';
import { namesOnDisk, type Spelled } from './names-on-disk.ts';
import { isContained } from './paths/contained.ts';
import { innermost } from './paths/innermost.ts';
import { locate, type Located, type Named } from './paths/locate.ts';
import { FOLDED, NAMING, REAL } from './paths/naming.ts';
import type { Hidden } from './policy/hidden.ts';
import type { Patterns, Policy } from './policy/policy.ts';
import type { Boundary, RootMode } from './root-directory.ts';
import { whyNot } from './why-not.ts';

/** Something inside the roots, held. */
export interface Found {
  readonly anchor: Anchor;
  readonly ground: Ground;
  /** Its real path when it was verified. */
  readonly real: string;
  /** What clients see. */
  readonly shown: string;
  /** As the caller spelled it. */
  readonly given: string;
  readonly mode: RootMode;
}

/** What paths are resolved against. */
export interface Bounded {
  /** Where a call may go; relative paths are taken from the first. */
  readonly directories: readonly Boundary[];
  readonly operators: readonly OperatorRoot[];
  readonly patterns: Patterns;
  readonly hidden: Hidden;
  readonly policy: Policy;
  /** The client had a say: having no directory then means that it allows none. */
  readonly isNarrowed: boolean;
  /** What the client's roots changed; `undefined` if nothing. */
  readonly narrowing: Narrowing | undefined;
  readonly hardLinks: 'allow' | 'deny';
  readonly followSymlinks: boolean;
  readonly crossMounts: boolean;
  readonly gitDirectories: 'allow' | 'deny';
}

/** Turns the text of a path into something held that was seen to lie inside. */
export class Resolver {
  readonly bounded: Bounded;

  constructor(bounded: Bounded) {
    this.bounded = bounded;
  }

  /**
   * By text alone.
   *
   * @throws ToolError PATH_OUTSIDE_ROOTS, ROOTS_REQUIRED, INVALID_PATH, DENIED_BY_POLICY
   */
  locate(given: string): Located<Boundary> {
    const { directories, isNarrowed } = this.bounded;
    if (directories.length === 0 && !isNarrowed) throw rootsRequired();
    const located = locate(given, directories);
    if (located === undefined) throw this.#outside(given);
    this.requirePermitted(located.target, given);
    return located;
  }

  /** @throws ToolError as {@link Resolver.locate}, NOT_FOUND, SYMLINK_LOOP, AMBIGUOUS_NAME, ROOT_UNAVAILABLE, ROOT_CHANGED, IO */
  async find(given: string, located: Located<Boundary> = this.locate(given), onDisk?: Spelled): Promise<Found> {
    const { directory, target } = located;
    const { base, names, twins, unlisted } = onDisk ?? (await namesOnDisk(located));
    if (!this.bounded.followSymlinks) await refuseLinks(directory, names, given);
    const anchor = await directory.ground
      .hold(path.join(base, ...names), true)
      .catch(async (error: unknown) => Promise.reject(await this.#whyNot(given, target, { error, directory })));
    try {
      const real = await this.#listedPathOf(anchor, directory, names);
      if (!this.bounded.followSymlinks && !NAMING.same(real, path.join(directory.realPath, ...names))) throw throughLink(given);
      this.requireInside(real, anchor.facts, given);
      if (twins !== undefined) throw ambiguous(given, twins.names);
      if (unlisted !== undefined) throw unlisted.error;
      const listed = path.join(target, ...names.map(() => '..'), ...names);
      // A link may be denied by its own name, whatever its target.
      if (listed !== target) this.requirePermitted(listed, given);
      const shown = this.#shown(listed);
      return { anchor, ground: directory.ground, real, shown, given, mode: this.modeOf(real) };
    } catch (error) {
      await anchor.close();
      throw refused(given, error);
    }
  }

  /** Where a real path lies. */
  locateReal(real: string, given: string): Located<Boundary> {
    const holding = innermost(this.bounded.directories, real);
    if (holding === undefined) throw this.#outside(given);
    return { ...holding, target: real };
  }

  /** @throws ToolError PATH_OUTSIDE_ROOTS, DENIED_BY_POLICY */
  requireInside(real: string, facts: BigIntStats, given: string): void {
    const refusal = this.#refusal(real, facts, given);
    if (refusal !== undefined) throw refusal;
    this.requirePermitted(real, given);
  }

  modeOf(real: string): RootMode {
    const { operators } = this.bounded;
    // The name of a root that was missing at the start may be listed in another spelling later.
    const isOfMissing = operators.some(
      ({ mode, device, path: given }) => mode === 'ro' && device === undefined && isContainedFolded(given, real),
    );
    return isOfMissing ? 'ro' : (innermost(operators, real)?.directory.mode ?? 'rw');
  }

  forbids(real: string): boolean {
    return this.bounded.policy.forbids(real) !== undefined;
  }

  /** The same rules, as plain values. */
  threadRules(): Pick<ThreadGround, 'denials' | 'directories' | 'hardLinks'> {
    const { directories, operators, patterns, hidden, hardLinks } = this.bounded;
    const named = (roots: readonly Named[]): readonly Named[] =>
      roots.map(({ path: shown, realPath }) => ({ path: shown, realPath }));
    return {
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

  /** Why something may neither be moved nor removed: a root, or what belongs to the server, is there or below. */
  keeps(real: string): string | undefined {
    const { operators, directories, policy } = this.bounded;
    const holdsRoot = [...operators, ...directories].some(({ realPath }) => isContained(real, realPath));
    return holdsRoot ? 'is an allowed directory, or holds one' : policy.keeps(real);
  }

  /** @throws ToolError DENIED_BY_POLICY */
  requirePermitted(absolute: string, given: string): void {
    const reason = this.bounded.policy.forbids(absolute);
    if (reason !== undefined) throw denied(given, reason);
  }

  #refusal(real: string, { dev }: BigIntStats, given: string): ToolError | undefined {
    if (!this.#holds(real)) return this.#outside(given);
    const { crossMounts, operators, directories } = this.bounded;
    if (crossMounts) return undefined;
    const root = innermost(operators.length > 0 ? operators : directories, real)?.directory;
    return root?.device === dev ? undefined : denied(given, 'is on another file system than the allowed directory that holds it');
  }

  #outside(given: string): ToolError {
    const { directories, narrowing } = this.bounded;
    return outsideRoots(
      given,
      directories.map(({ path: shown }) => shown),
      narrowing,
    );
  }

  #holds(real: string): boolean {
    return this.bounded.directories.some(({ realPath }) => isContained(realPath, real, REAL));
  }

  #shown(target: string): string {
    const { directories } = this.bounded;
    if (directories.some((root) => isContained(root.path, target))) return target;
    const root = directories.find(({ realPath }) => isContained(realPath, target));
    return root === undefined ? target : path.join(root.path, path.relative(root.realPath, target));
  }

  /**
   * Returns the path of an open file or directory with each name as its parent lists it. The kernel may report another spelling,
   * but rules and modes apply to listed names.
   */
  async #listedPathOf(anchor: Anchor, boundary: Boundary, names: readonly string[]): Promise<string> {
    const real = await anchor.real();
    return real === path.join(boundary.realPath, ...names) ? real : this.#listed(real, boundary);
  }

  #listed(real: string, { ground }: Boundary): Promise<string> {
    const { operators, directories } = this.bounded;
    return listedBelow([...operators, ...directories], real, ground.calls);
  }

  #whyNot(given: string, target: string, { error, directory }: Failure): Promise<ToolError> {
    const { directories, policy } = this.bounded;
    return whyNot(
      { given, target, error },
      {
        ...directory.ground,
        outside: this.#outside(given),
        holds: (real) => this.#holds(real),
        listed: (real) => this.#listed(real, directory),
        refusal: (real, facts) => this.#refusal(real, facts, given),
        isRoot: (absolute) => directories.some((root) => root.path === absolute || root.realPath === absolute),
        forbids: policy.forbids,
      },
    );
  }
}

/** Whether a path is inside a directory only if spelling is ignored. */
function isContainedFolded(directory: string, candidate: string): boolean {
  return !isContained(directory, candidate) && isContained(directory, candidate, FOLDED);
}

interface Failure {
  readonly error: unknown;
  readonly directory: Boundary;
}

/**
 * What a link leads to is not touched, so nothing tells whether it is there. One that comes to be on the way later is seen by what is
 * held then.
 *
 * @throws ToolError DENIED_BY_POLICY
 */
async function refuseLinks(directory: Boundary, names: readonly string[], given: string): Promise<void> {
  const { calls } = directory.ground;
  let way = await directory.reach([]);
  for (const name of names) {
    way = path.join(way, name);
    const facts = await Promise.resolve()
      .then(() => calls.lstat(way))
      .catch(() => undefined);
    if (facts === undefined) return;
    if (facts.isSymbolicLink()) throw throughLink(given);
  }
}

function throughLink(given: string): ToolError {
  return denied(given, 'goes through a symbolic link, and those are not followed');
}
