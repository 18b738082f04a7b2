import type { DirectoryEvent } from '../directories/directory-watch.ts';
import type { TreeTarget } from '../resources/watched-resource.ts';
import { NearestDirectoryWatch } from './nearest-directory-watch.ts';
import type { TargetWatcher, WatchContext } from './target-watcher.ts';
import { TreeDirectory, type Tree } from './tree-directory.ts';

/** Watches everything below a directory: one watch for each directory, none for files. Links are not followed. */
export class TreeWatcher implements TargetWatcher {
  readonly #tree: Tree;
  readonly #rootWatch: NearestDirectoryWatch;
  readonly #hint: () => void;
  readonly #rules: string | undefined;
  /** Directories whose entries may have been added or removed. */
  readonly #stale = new Set<TreeDirectory>();
  #root: TreeDirectory | undefined;
  #isOutdated = false;

  constructor({ path, ignores, rules }: TreeTarget, { forTrees, hint, signal }: WatchContext) {
    this.#hint = hint;
    this.#rules = rules;
    this.#tree = { path, ignores, signal, directories: forTrees, onEvent: (directory, event) => this.#onEvent(directory, event) };
    this.#rootWatch = new NearestDirectoryWatch(path, forTrees, { onEvent: hint, onLost: hint });
  }

  async renew(isThorough: boolean): Promise<void> {
    await this.#rootWatch.renew();
    if (this.#rootWatch.watchedPath !== this.#tree.path) return this.#closeRoot();
    if (this.#root === undefined || this.#root.isLost) return this.#openRoot();
    const whole = isThorough || this.#isOutdated;
    if (this.#isOutdated) this.#root.invalidate();
    this.#isOutdated = false;
    const stale = whole ? [this.#root] : [...this.#stale];
    this.#stale.clear();
    for (const directory of stale) {
      if (!(await directory.refresh(whole))) await this.#refreshParent(directory);
    }
  }

  async close(): Promise<void> {
    this.#closeRoot();
    await this.#rootWatch.close();
  }

  async #openRoot(): Promise<void> {
    this.#closeRoot();
    this.#root = new TreeDirectory(this.#tree, undefined, '');
    await this.#root.open();
  }

  #closeRoot(): void {
    this.#root?.close();
    this.#root = undefined;
    this.#stale.clear();
  }

  /**
   * Refreshes the parent of a directory that no longer exists; the parent then closes this directory. Opens the tree again if
   * the root is gone.
   */
  async #refreshParent({ parent }: TreeDirectory): Promise<void> {
    if (parent === undefined) return this.#openRoot();
    await parent.refresh(false);
  }

  #onEvent(directory: TreeDirectory, event: DirectoryEvent | undefined): void {
    if (event?.kind !== 'change' || event.name === undefined) this.#stale.add(directory);
    if (event?.name !== undefined && event.name === this.#rules) this.#isOutdated = true;
    this.#hint();
  }
}
