import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { gitConfiguration, gitDirectory } from '../failures.ts';
import type { Anchor } from '../hold/anchor.ts';
import type { Calls } from '../hold/calls.ts';
import {
  gitPartOf,
  GIT_PARTS,
  isGitConfiguration,
  isGitDirectory,
  isGitName,
  leadsThroughGit,
  mayHoldGitConfiguration,
  resemblesGitDirectory,
  type GitPart,
} from '../policy/git-names.ts';

/** `attach` is a link or a move, which may bring any content. After a `remove` the name does not exist. */
export type ChangeKind = 'put' | 'attach' | 'remove';

interface Change {
  readonly name: string;
  readonly shown: string;
  readonly kind: ChangeKind;
}

/**
 * Last change per directory of an entry that can complete a git directory. Such changes run one after another, so each sees the
 * result of the previous one.
 */
const turns = new Map<string, Promise<unknown>>();

/**
 * Refuses changes in git directories: their configuration and hooks name programs that git runs.
 *
 * A git directory is recognised by its entries, as git does, so bare repositories and the targets of `gitdir:` links count. It is
 * also recognised by the name `.git`, in every spelling that a file system treats as equal. A user's own configuration is
 * recognised by its name.
 */
export class GitGuard {
  readonly #anchor: Anchor;
  readonly #calls: Calls;
  #known: { readonly real: string; readonly isInside: boolean } | undefined;

  /** @param anchor the directory that contains the names */
  constructor(anchor: Anchor, calls: Calls) {
    this.#anchor = anchor;
    this.#calls = calls;
  }

  /** @throws ToolError DENIED_BY_POLICY */
  async during<Value>(change: Change, work: () => Promise<Value>): Promise<Value> {
    const { name, shown, kind } = change;
    await this.requireOutside(shown);
    const names = await this.#namesTo(name);
    if (isGitConfiguration(names) || (kind === 'attach' && mayHoldGitConfiguration(names))) throw gitConfiguration(shown);
    if (await this.isGitEntry(name)) throw gitDirectory(shown);
    const part = kind === 'remove' ? undefined : gitPartOf(name);
    if (part === undefined) return work();
    return this.#inTurn(async () => {
      const parts = await this.#partsOf(await this.#anchor.at());
      if (resemblesGitDirectory(new Set([...parts, part]))) throw gitDirectory(shown);
      return work();
    });
  }

  /** @throws ToolError DENIED_BY_POLICY if the directory is a git directory or inside one */
  async requireOutside(shown: string): Promise<void> {
    const real = await this.#anchor.real();
    if (this.#known?.real !== real) this.#known = { real, isInside: await this.#isInside(real) };
    if (this.#known.isInside) throw gitDirectory(shown);
  }

  /** Whether a name refers to a git directory, to a `gitdir:` link or to a user's own configuration of git. */
  async isGitEntry(name: string): Promise<boolean> {
    if (isGitName(name) || isGitConfiguration(await this.#namesTo(name))) return true;
    const entry = await this.#anchor.at(name);
    return (await this.#calls.find(entry))?.isDirectory() === true && this.#isGitDirectory(entry);
  }

  async #namesTo(name: string): Promise<readonly string[]> {
    return [...(await this.#anchor.real()).split(path.sep), name];
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

  /** Whether a directory is a linked work tree. It may be inside its bare repository, but not replace a directory of git there. */
  async #isWorkTree(directory: string): Promise<boolean> {
    if (OF_GIT.has(path.basename(directory).toLowerCase())) return false;
    return (await this.#calls.find(path.join(directory, '.git')))?.isFile() === true;
  }

  /** Every git directory has `objects` or `commondir`, most other directories have neither; so these two are checked first. */
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

/** Directories that git itself uses inside a git directory. */
const OF_GIT: ReadonlySet<string> = new Set(
  'hooks info lfs logs modules objects rebase-apply rebase-merge refs sequencer worktrees'.split(' '),
);

/** Symbolic links count, because git follows them. */
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
