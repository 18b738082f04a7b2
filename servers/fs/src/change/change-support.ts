import type { Roots } from '@org/mcp-roots';

import { Journal, type JournalOptions } from '../journal/journal.ts';
import { Checkpoints } from '../journal/checkpoints.ts';
import { Attributes } from '../storage/attributes.ts';
import { FileLocks } from '../storage/file-locks.ts';
import { StaleFiles } from '../storage/stale-files.ts';
import { StateDirectory } from '../storage/state-directory.ts';
import type { WriteSettings } from '../storage/write-atomically.ts';

interface ChangeOptions extends JournalOptions {
  readonly lockTimeout: number;
  readonly maxCheckpoints: number;
  readonly maxMergeBytes: number;
}

/** The properties of `Files` that every function that changes files needs. */
export interface ChangeableFiles {
  readonly roots: Roots;
  readonly changes: ChangeSupport;
}

/** The locks, the journal, the checkpoints and the settings of writes that all changes share. */
export class ChangeSupport implements AsyncDisposable {
  readonly locks: FileLocks;
  readonly journal: Journal;
  readonly checkpoints: Checkpoints;
  readonly settings: WriteSettings;

  readonly #maxMergeBytes: number;

  /** @param directory the state directory; the first change creates it */
  constructor(directory: string, options: ChangeOptions) {
    const state = new StateDirectory(directory);
    this.locks = new FileLocks(state, options.lockTimeout);
    this.journal = new Journal(state, options);
    this.checkpoints = new Checkpoints(state, options);
    this.#maxMergeBytes = options.maxMergeBytes;
    const { durability } = options;
    this.settings = { durability, stale: new StaleFiles(state), attributes: new Attributes() };
  }

  /** Whether the new content of a file is stored, so that a rewind can merge later edits of the file. */
  async keepsNewContent(size: number): Promise<boolean> {
    return size <= this.#maxMergeBytes && (await this.checkpoints.exist());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settings.attributes[Symbol.asyncDispose]();
    await this.settings.stale[Symbol.asyncDispose]();
    await this.locks[Symbol.asyncDispose]();
  }
}
