import { readdir } from 'node:fs/promises';
import path from 'node:path';

import type { Directories, DirectoryEvent, DirectoryWatch } from '../directories/directory-watch.ts';
import { directoryAt, directoryLaterAt, type Directory } from '../directories/directory.ts';
import { isForbidden, isMissing } from '../error-code.ts';
import { settleAll } from '../settle-all.ts';
import type { TreePlace } from '../subject.ts';

/** What all directories of a tree have in common. */
export interface Tree {
  readonly path: string;
  readonly ignores: TreePlace['ignores'];
  readonly directories: Directories;
  readonly signal: AbortSignal;
  /** Something happened in a directory; without an event, its watch was lost. */
  heard(directory: TreeDirectory, event: DirectoryEvent | undefined): void;
}

/** One directory of a watched tree, with those in it. */
export class TreeDirectory {
  readonly parent: TreeDirectory | undefined;
  readonly #tree: Tree;
  readonly #relative: string;
  readonly #path: string;
  readonly #children = new Map<string, TreeDirectory>();
  #found: Directory | undefined;
  #watch: DirectoryWatch | undefined;
  #lost = false;

  constructor(tree: Tree, parent: TreeDirectory | undefined, relative: string) {
    this.#tree = tree;
    this.parent = parent;
    this.#relative = relative;
    this.#path = path.join(tree.path, relative);
  }

  /** Whether it is not the directory at its path any more, or was closed. */
  get lost(): boolean {
    return this.#lost || this.#watch?.lost === true;
  }

  /** Starts its watch, and those of the directories below it; resolves to whether it is there. */
  async open(): Promise<boolean> {
    const found = directoryAt(this.#path);
    if (found === undefined) {
      this.#lost = true;
      return false;
    }
    this.#found = { ...found, stamp: undefined };
    try {
      // Before its entries are read, so that none can be added in between.
      this.#watch = await this.#tree.directories.open(found, {
        heard: (event) => this.#tree.heard(this, event),
        lost: () => this.#tree.heard(this, undefined),
      });
    } catch (error) {
      if (isForbidden(error)) return true;
      throw error;
    }
    return this.#update(directoryAt(this.#path), true);
  }

  /** Reads its entries again if they may have changed; `thorough`: those below too. Resolves to whether it is still there. */
  async refresh(thorough: boolean): Promise<boolean> {
    return this.#update(await directoryLaterAt(this.#path), thorough);
  }

  /** Has its entries, and those of the directories below it, read again by the next refresh. */
  forget(): void {
    if (this.#found !== undefined) this.#found = { ...this.#found, stamp: undefined };
    for (const child of this.#children.values()) child.forget();
  }

  close(): void {
    this.#lost = true;
    void this.#watch?.close();
    this.#closeAllBut([]);
  }

  async #update(found: Directory | undefined, thorough: boolean): Promise<boolean> {
    if (this.#tree.signal.aborted) return true;
    if (this.lost || this.#watch === undefined || found === undefined || found.identity !== this.#found?.identity) {
      this.#lost = true;
      return false;
    }
    const isUnchanged = found.stamp !== undefined && found.stamp === this.#found.stamp;
    this.#found = found;
    const names = isUnchanged ? [...this.#children.keys()] : await this.#read();
    this.#closeAllBut(names);
    await settleAll(names.map((name) => this.#keep(name, thorough)));
    return true;
  }

  /** The names of the directories in it that are entered. */
  async #read(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#path, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      const ignored = await Promise.all(names.map(async (name) => this.#tree.ignores(this.#below(name))));
      return names.filter((_, position) => ignored[position] !== true);
    } catch (error) {
      if (isMissing(error) || isForbidden(error)) return [];
      throw error;
    }
  }

  #closeAllBut(names: readonly string[]): void {
    const kept = new Set(names);
    for (const [name, child] of this.#children) {
      if (kept.has(name)) continue;
      child.close();
      this.#children.delete(name);
    }
  }

  async #keep(name: string, thorough: boolean): Promise<void> {
    if (this.#tree.signal.aborted) return;
    const known = this.#children.get(name);
    if (known !== undefined && !known.lost && (!thorough || (await known.refresh(true)))) return;
    known?.close();
    const child = new TreeDirectory(this.#tree, this, this.#below(name));
    this.#children.set(name, child);
    if (await child.open()) return;
    child.close();
    this.#children.delete(name);
  }

  #below(name: string): string {
    return this.#relative === '' ? name : `${this.#relative}/${name}`;
  }
}
