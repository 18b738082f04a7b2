import type { DirectoryEvent } from '../directories/directory-watch.ts';
import type { TreePlace } from '../subject.ts';
import { Anchor } from './anchor.ts';
import type { PlaceWatcher, Surroundings } from './place-watcher.ts';
import { TreeDirectory, type Tree } from './tree-directory.ts';

/** Watches everything below a directory: one watch for each directory, none for files, links not followed. */
export class TreeWatcher implements PlaceWatcher {
  readonly #tree: Tree;
  readonly #anchor: Anchor;
  readonly #hint: () => void;
  readonly #rules: string | undefined;
  /** Directories whose entries may have come or gone. */
  readonly #stale = new Set<TreeDirectory>();
  #root: TreeDirectory | undefined;
  #isOutdated = false;

  constructor({ path, ignores, rules }: TreePlace, { forTrees, hint, signal }: Surroundings) {
    this.#hint = hint;
    this.#rules = rules;
    this.#tree = { path, ignores, signal, directories: forTrees, heard: (directory, event) => this.#heard(directory, event) };
    this.#anchor = new Anchor(path, forTrees, { heard: hint, lost: hint });
  }

  async renew(thorough: boolean): Promise<void> {
    await this.#anchor.renew();
    if (this.#anchor.at !== this.#tree.path) return this.#closeRoot();
    if (this.#root === undefined || this.#root.lost) return this.#openRoot();
    const whole = thorough || this.#isOutdated;
    if (this.#isOutdated) this.#root.forget();
    this.#isOutdated = false;
    const stale = whole ? [this.#root] : [...this.#stale];
    this.#stale.clear();
    for (const directory of stale) {
      if (!(await directory.refresh(whole))) await this.#refreshAbove(directory);
    }
  }

  async close(): Promise<void> {
    this.#closeRoot();
    await this.#anchor.close();
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

  /** A directory that went is let go by the one above it. */
  async #refreshAbove({ parent }: TreeDirectory): Promise<void> {
    if (parent === undefined) return this.#openRoot();
    await parent.refresh(false);
  }

  #heard(directory: TreeDirectory, event: DirectoryEvent | undefined): void {
    if (event?.kind !== 'change' || event.name === undefined) this.#stale.add(directory);
    if (event?.name !== undefined && event.name === this.#rules) this.#isOutdated = true;
    this.#hint();
  }
}
