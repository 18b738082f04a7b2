import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { createGitConfigurationError, createGitDirectoryError } from '../errors/path-errors.ts';
import type { FileSystemCalls } from '../pinning/file-system-calls.ts';
import type { PinnedPath } from '../pinning/pinned-path.ts';
import {
  toGitPart,
  GIT_PARTS,
  isGitConfiguration,
  isGitDirectory,
  isGitName,
  containsGitName,
  mayContainGitConfiguration,
  resemblesGitDirectory,
  type GitPart,
} from '../policy/git-names.ts';

/**
 * `put` writes the content of a name. `attach` gives the name to a link or a moved entry, whose content may be anything.
 * `remove` removes the name.
 */
export type ChangeKind = 'put' | 'attach' | 'remove';

interface Change {
  readonly name: string;
  readonly shown: string;
  readonly kind: ChangeKind;
}

/**
 * For each directory, by device and inode number: a promise that resolves after the last change of a name such as `HEAD`. Such
 * changes run one after another, so that each change sees the result of the previous one.
 */
const lastChanges = new Map<string, Promise<unknown>>();

/**
 * Refuses changes in git directories: their configuration and hooks name programs that git runs.
 *
 * A git directory is recognised by its entries, as git does, so bare repositories and the targets of `gitdir:` links count. It is
 * also recognised by the name `.git`, in every spelling that a file system treats as equal. A user's own configuration is
 * recognised by its name.
 */
export class GitGuard {
  readonly #directory: PinnedPath;
  readonly #calls: FileSystemCalls;
  #known: { readonly real: string; readonly isInside: boolean } | undefined;

  /** @param directory the directory whose entries are changed */
  constructor(directory: PinnedPath, calls: FileSystemCalls) {
    this.#directory = directory;
    this.#calls = calls;
  }

  /**
   * Runs a change unless it would affect a git directory.
   *
   * @throws ToolError DENIED_BY_POLICY if the change would affect a git directory or a user's own configuration of git
   */
  async runGuarded<Value>(change: Change, work: () => Promise<Value>): Promise<Value> {
    const { name, shown, kind } = change;
    await this.requireOutside(shown);
    const names = await this.#splitPath(name);
    if (isGitConfiguration(names) || (kind === 'attach' && mayContainGitConfiguration(names)))
      throw createGitConfigurationError(shown);
    if (await this.isGitEntry(name)) throw createGitDirectoryError(shown);
    const part = kind === 'remove' ? undefined : toGitPart(name);
    if (part === undefined) return work();
    return this.#runInOrder(async () => {
      const parts = await this.#readParts(await this.#directory.pathTo());
      if (resemblesGitDirectory(new Set([...parts, part]))) throw createGitDirectoryError(shown);
      return work();
    });
  }

  /** @throws ToolError DENIED_BY_POLICY if the directory is a git directory or inside one */
  async requireOutside(shown: string): Promise<void> {
    const real = await this.#directory.realPath();
    if (this.#known?.real !== real) this.#known = { real, isInside: await this.#isInside(real) };
    if (this.#known.isInside) throw createGitDirectoryError(shown);
  }

  /** Returns whether a name refers to a git directory, to a `gitdir:` link or to a user's own configuration of git. */
  async isGitEntry(name: string): Promise<boolean> {
    if (isGitName(name) || isGitConfiguration(await this.#splitPath(name))) return true;
    const entry = await this.#directory.pathTo(name);
    return (await this.#calls.tryLstat(entry))?.isDirectory() === true && this.#isGitDirectory(entry);
  }

  async #splitPath(name: string): Promise<readonly string[]> {
    return [...(await this.#directory.realPath()).split(path.sep), name];
  }

  async #runInOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    const { dev, ino } = this.#directory.facts;
    const directory = `${dev}:${ino}`;
    const turn = (lastChanges.get(directory) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    lastChanges.set(directory, ended);
    try {
      return await turn;
    } finally {
      if (lastChanges.get(directory) === ended) lastChanges.delete(directory);
    }
  }

  async #isInside(real: string): Promise<boolean> {
    const { root } = path.parse(real);
    if (containsGitName(real.slice(root.length).split(path.sep))) return true;
    for (let above = real; ; above = path.dirname(above)) {
      if (await this.#isGitDirectory(above)) return true;
      if (above === root || (await this.#isWorkTree(above))) return false;
    }
  }

  /**
   * Returns whether a directory is a linked work tree. A work tree may be inside its bare repository, but must not replace one of
   * git's own directories there.
   */
  async #isWorkTree(directory: string): Promise<boolean> {
    if (INTERNAL_DIRECTORIES.has(path.basename(directory).toLowerCase())) return false;
    return (await this.#calls.tryLstat(path.join(directory, '.git')))?.isFile() === true;
  }

  /**
   * Returns whether a directory is a git directory. Every git directory contains `objects` or `commondir`, and most other
   * directories contain neither, so these two names are checked first.
   */
  async #isGitDirectory(directory: string): Promise<boolean> {
    if ((await this.#readParts(directory, ['objects', 'commondir'])).size === 0) return false;
    return isGitDirectory(await this.#readParts(directory));
  }

  async #readParts(directory: string, sought: readonly GitPart[] = GIT_PARTS): Promise<ReadonlySet<GitPart>> {
    const parts = new Set<GitPart>();
    for (const part of sought) {
      const facts = await this.#calls.tryLstat(path.join(directory, part));
      if (facts !== undefined && IS_PART[part](facts)) parts.add(part);
    }
    return parts;
  }
}

/** Directories that git itself uses inside a git directory. */
const INTERNAL_DIRECTORIES: ReadonlySet<string> = new Set(
  'hooks info lfs logs modules objects rebase-apply rebase-merge refs sequencer worktrees'.split(' '),
);

/**
 * For each entry of a git directory, a function that returns whether the entry has the type that git requires. Links count,
 * because git follows them.
 */
const IS_PART: Readonly<Record<GitPart, (facts: BigIntStats) => boolean>> = {
  HEAD: isNotDirectory,
  commondir: isNotDirectory,
  config: isNotDirectory,
  objects: isNotFile,
  refs: isNotFile,
};

function isNotDirectory(facts: BigIntStats): boolean {
  return !facts.isDirectory();
}

function isNotFile(facts: BigIntStats): boolean {
  return !facts.isFile();
}
