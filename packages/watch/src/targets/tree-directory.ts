import { readdir } from 'node:fs/promises';
import path from 'node:path';

import type { DirectoryWatcher, DirectoryEvent, DirectoryWatch } from '../directories/directory-watch.ts';
import { statDirectory, statDirectoryAsync, type Directory } from '../directories/directory.ts';
import type { TreeTarget } from '../resources/watched-resource.ts';
import { settleAll } from '../system/settle-all.ts';
import { isForbidden, isMissing } from '../system/watch-errors.ts';

/** The parts that all directories of a tree share. */
export interface Tree {
  readonly path: string;
  readonly ignores: TreeTarget['ignores'];
  readonly directories: DirectoryWatcher;
  readonly signal: AbortSignal;
  /** Reports an event in a directory. An absent event means that the watch was lost. */
  onEvent(directory: TreeDirectory, event: DirectoryEvent | undefined): void;
}

/** One directory of a watched tree, with its subdirectories. */
export class TreeDirectory {
  readonly parent: TreeDirectory | undefined;
  readonly #tree: Tree;
  readonly #relative: string;
  readonly #path: string;
  readonly #children = new Map<string, TreeDirectory>();
  #directory: Directory | undefined;
  #watch: DirectoryWatch | undefined;
  #isLost = false;

  constructor(tree: Tree, parent: TreeDirectory | undefined, relative: string) {
    this.#tree = tree;
    this.parent = parent;
    this.#relative = relative;
    this.#path = path.join(tree.path, relative);
  }

  /** Whether this directory was closed, removed or replaced by another directory, or its watcher failed. */
  get isLost(): boolean {
    return this.#isLost || this.#watch?.isLost === true;
  }

  /** Opens the watches of this directory and its subdirectories. Resolves to whether the directory exists. */
  async open(): Promise<boolean> {
    const found = statDirectory(this.#path);
    if (found === undefined) {
      this.#isLost = true;
      return false;
    }
    this.#directory = { ...found, changeTime: undefined };
    try {
      // The watch is opened before the entries are read, so that no entry is missed in between.
      this.#watch = await this.#tree.directories.open(found, {
        onEvent: (event) => this.#tree.onEvent(this, event),
        onLost: () => this.#tree.onEvent(this, undefined),
      });
    } catch (error) {
      if (isForbidden(error)) return true;
      throw error;
    }
    return this.#update(statDirectory(this.#path), true);
  }

  /**
   * Reads the entries of the directory again if they may have changed. `isThorough` includes the subdirectories.
   * Resolves to `false` if the directory was removed or replaced, or has no working watch.
   */
  async refresh(isThorough: boolean): Promise<boolean> {
    return this.#update(await statDirectoryAsync(this.#path), isThorough);
  }

  /** Makes the next refresh read the entries of the directory and of its subdirectories again. */
  invalidate(): void {
    if (this.#directory !== undefined) this.#directory = { ...this.#directory, changeTime: undefined };
    for (const child of this.#children.values()) child.invalidate();
  }

  close(): void {
    this.#isLost = true;
    void this.#watch?.close();
    this.#closeAllExcept([]);
  }

  async #update(found: Directory | undefined, isThorough: boolean): Promise<boolean> {
    if (this.#tree.signal.aborted) return true;
    if (this.isLost || this.#watch === undefined || found === undefined || found.identity !== this.#directory?.identity) {
      this.#isLost = true;
      return false;
    }
    const isUnchanged = found.changeTime !== undefined && found.changeTime === this.#directory.changeTime;
    this.#directory = found;
    const names = isUnchanged ? [...this.#children.keys()] : await this.#readDirectories();
    this.#closeAllExcept(names);
    await settleAll(names.map((name) => this.#openOrRefresh(name, isThorough)));
    return true;
  }

  /** Returns the names of the subdirectories that are not ignored. */
  async #readDirectories(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#path, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      const ignored = await Promise.all(names.map(async (name) => this.#tree.ignores(this.#pathOfChild(name))));
      return names.filter((_, position) => ignored[position] !== true);
    } catch (error) {
      if (isMissing(error) || isForbidden(error)) return [];
      throw error;
    }
  }

  #closeAllExcept(names: readonly string[]): void {
    const kept = new Set(names);
    for (const [name, child] of this.#children) {
      if (kept.has(name)) continue;
      child.close();
      this.#children.delete(name);
    }
  }

  async #openOrRefresh(name: string, isThorough: boolean): Promise<void> {
    if (this.#tree.signal.aborted) return;
    const known = this.#children.get(name);
    if (known !== undefined && !known.isLost && (!isThorough || (await known.refresh(true)))) return;
    known?.close();
    const child = new TreeDirectory(this.#tree, this, this.#pathOfChild(name));
    this.#children.set(name, child);
    if (await child.open()) return;
    child.close();
    this.#children.delete(name);
  }

  #pathOfChild(name: string): string {
    return this.#relative === '' ? name : `${this.#relative}/${name}`;
  }
}
