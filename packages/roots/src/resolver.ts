import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { ambiguous, denied, outsideRoots, refused, rootsRequired } from './failures.ts';
import type { Anchor } from './hold/anchor.ts';
import type { Ground } from './hold/ground.ts';
import type { ThreadGround } from './handles/thread-ground.ts';
import type { OperatorRoot } from './operator-root.ts';
import { isContained } from './paths/contained.ts';
import { innermost } from './paths/innermost.ts';
import { locate, type Located, type Named } from './paths/locate.ts';
import { NAMING, REAL } from './paths/naming.ts';
import { spellingsOf } from './paths/spellings.ts';
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

/** The names of a path as they are on the disk. */
export interface Spelled {
  readonly names: readonly string[];
  /** The first of them that is there several times; not to be told of before its directory is known to lie inside. */
  readonly twins: Twins | undefined;
}

/** Names that look the same. */
interface Twins {
  /** Where in the path. */
  readonly index: number;
  readonly names: readonly string[];
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
  async find(given: string, located: Located<Boundary> = this.locate(given)): Promise<Found> {
    const { directory, target } = located;
    const { names, twins } = await this.spelled(located);
    const way = await directory.reach(names);
    if (!this.bounded.followSymlinks) await refuseLinks(directory, names, given);
    const anchor = await directory.ground
      .hold(way, true)
      .catch(async (error: unknown) => Promise.reject(await this.#whyNot(given, target, { error, directory })));
    try {
      const real = await anchor.real();
      if (!this.bounded.followSymlinks && !NAMING.same(real, path.join(directory.realPath, ...names))) throw throughLink(given);
      this.requireInside(real, anchor.facts, given);
      if (twins !== undefined) throw ambiguous(given, twins.names);
      return { anchor, ground: directory.ground, real, shown: this.#shown(target), given, mode: this.modeOf(real) };
    } catch (error) {
      await anchor.close();
      throw refused(given, error);
    }
  }

  /** A name that can be written in several normal forms is looked for in each: programs on the way may have changed it. */
  async spelled({ directory, names }: Located<Boundary>): Promise<Spelled> {
    const found: string[] = [];
    let twins: Twins | undefined;
    for (const [index, name] of names.entries()) {
      const spellings = spellingsOf(name);
      const present = spellings.length === 1 ? spellings : await this.#present(directory, found, spellings);
      if (present.length > 1) twins ??= { index, names: present };
      found.push(present.includes(name) ? name : (present[0] ?? name));
    }
    return { names: found, twins };
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
    return innermost(this.bounded.operators, real)?.directory.mode ?? 'rw';
  }

  forbids(real: string): boolean {
    return this.bounded.policy.forbids(real) !== undefined;
  }

  /** The same rules, as plain values. */
  threadRules(): Pick<ThreadGround, 'denials' | 'directories' | 'hardLinks'> {
    const { directories, operators, patterns, hidden, hardLinks } = this.bounded;
    const named = (roots: readonly Named[]): readonly Named[] =>
      roots.map(({ path: shown, realPath }) => ({ path: shown, realPath }));
    const texts = (globs: Patterns['deny']): readonly string[] => globs.map(({ text }) => text);
    return {
      denials: {
        roots: named(operators.length > 0 ? operators : directories),
        deny: texts(patterns.deny),
        allow: texts(patterns.allow),
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
    return outsideRoots(given, this.#allowed);
  }

  get #allowed(): readonly string[] {
    return this.bounded.directories.map(({ path: shown }) => shown);
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

  /** Those that are there; of several that the file system holds for one only the first. */
  async #present(directory: Boundary, above: readonly string[], spellings: readonly string[]): Promise<readonly string[]> {
    const { calls } = directory.ground;
    const present = new Map<string, string>();
    for (const spelling of spellings) {
      try {
        const { dev, ino } = await calls.lstat(await directory.reach([...above, spelling]));
        if (!present.has(`${dev}:${ino}`)) present.set(`${dev}:${ino}`, spelling);
      } catch (error) {
        if (ToolError.is(error)) throw error;
      }
    }
    return [...present.values()];
  }

  #whyNot(given: string, target: string, { error, directory }: Failure): Promise<ToolError> {
    const { directories, policy } = this.bounded;
    return whyNot(
      { given, target, error },
      {
        ...directory.ground,
        allowed: this.#allowed,
        holds: (real) => this.#holds(real),
        refusal: (real, facts) => this.#refusal(real, facts, given),
        isRoot: (absolute) => directories.some((root) => root.path === absolute || root.realPath === absolute),
        forbids: policy.forbids,
      },
    );
  }
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
