import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { gitDirectory } from '../failures.ts';
import type { Anchor } from '../hold/anchor.ts';
import type { Calls } from '../hold/calls.ts';
import {
  gitPartOf,
  GIT_PARTS,
  isGitDirectory,
  isGitName,
  leadsThroughGit,
  resemblesGitDirectory,
  type GitPart,
} from '../policy/git-names.ts';

/** A name that is to be changed. */
interface Change {
  readonly name: string;
  readonly shown: string;
  /** Whether the name exists afterwards. */
  readonly puts: boolean;
}

/** By directory, the last change of an entry that can complete a git directory: each of them sees the result of the one before. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Refuses changes in git directories: their configuration and hooks name programs that git runs.
 *
 * A git directory is recognised by its entries as git recognises it, whatever its name, so that bare repositories and the targets of
 * `gitdir:` links count; and by the name `.git` in each spelling that a file system takes for it.
 */
export class GitGuard {
  readonly #anchor: Anchor;
  readonly #calls: Calls;
  #known: { readonly real: string; readonly isInside: boolean } | undefined;

  /** @param anchor holds the directory of the names */
  constructor(anchor: Anchor, calls: Calls) {
    this.#anchor = anchor;
    this.#calls = calls;
  }

  /** @throws ToolError DENIED_BY_POLICY */
  async during<Value>(change: Change, work: () => Promise<Value>): Promise<Value> {
    const { name, shown, puts } = change;
    await this.requireOutside(shown);
    if (await this.isGitEntry(name)) throw gitDirectory(shown);
    const part = puts ? gitPartOf(name) : undefined;
    if (part === undefined) return work();
    return this.#inTurn(async () => {
      const parts = await this.#partsOf(await this.#anchor.at());
      if (resemblesGitDirectory(new Set([...parts, part]))) throw gitDirectory(shown);
      return work();
    });
  }

  /** @throws ToolError DENIED_BY_POLICY where the directory is, or is in, a git directory */
  async requireOutside(shown: string): Promise<void> {
    const real = await this.#anchor.real();
    if (this.#known?.real !== real) this.#known = { real, isInside: await this.#isInside(real) };
    if (this.#known.isInside) throw gitDirectory(shown);
  }

  /** Whether a name stands for a git directory, or for the link to one that git reads. */
  async isGitEntry(name: string): Promise<boolean> {
    if (isGitName(name)) return true;
    const entry = await this.#anchor.at(name);
    return (await this.#calls.find(entry))?.isDirectory() === true && this.#isGitDirectory(entry);
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const { dev, ino } = this.#anchor.facts;
    const directory = `${dev}:${ino}`;
    const turn = (turns.get(directory) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    turns.set(directory, ended);
    try {
      return await turn;
    } finally {
      if (turns.get(directory) === ended) turns.delete(directory);
    }
  }

  async #isInside(real: string): Promise<boolean> {
    const { root } = path.parse(real);
    if (leadsThroughGit(real.slice(root.length).split(path.sep))) return true;
    for (let above = real; ; above = path.dirname(above)) {
      if (await this.#isGitDirectory(above)) return true;
      if (above === root || (await this.#isWorkTree(above))) return false;
    }
  }

  /** Whether a directory is a linked work tree, which may be in its bare repository, though not in place of what git has there. */
  async #isWorkTree(directory: string): Promise<boolean> {
    if (OF_GIT.has(path.basename(directory).toLowerCase())) return false;
    return (await this.#calls.find(path.join(directory, '.git')))?.isFile() === true;
  }

  /** Looks first for what no git directory is without: most directories have neither. */
  async #isGitDirectory(directory: string): Promise<boolean> {
    if ((await this.#partsOf(directory, ['objects', 'commondir'])).size === 0) return false;
    return isGitDirectory(await this.#partsOf(directory));
  }

  async #partsOf(directory: string, sought: readonly GitPart[] = GIT_PARTS): Promise<ReadonlySet<GitPart>> {
    const parts = new Set<GitPart>();
    for (const part of sought) {
      const facts = await this.#calls.find(path.join(directory, part));
      if (facts !== undefined && IS_PART[part](facts)) parts.add(part);
    }
    return parts;
  }
}

/** Directories in which git keeps what it reads and runs. */
const OF_GIT: ReadonlySet<string> = new Set(
  'hooks info lfs logs modules objects rebase-apply rebase-merge refs sequencer worktrees'.split(' '),
);

/** Git follows links to all of them. */
const IS_PART: Readonly<Record<GitPart, (facts: BigIntStats) => boolean>> = {
  HEAD: isNoDirectory,
  commondir: isNoDirectory,
  config: isNoDirectory,
  objects: isNoFile,
  refs: isNoFile,
};

function isNoDirectory(facts: BigIntStats): boolean {
  return !facts.isDirectory();
}

function isNoFile(facts: BigIntStats): boolean {
  return !facts.isFile();
}
