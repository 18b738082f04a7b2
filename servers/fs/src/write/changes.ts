import { Journal } from '../journal/journal.ts';
import type { Durability, WritingOptions } from '../options/writing-options.ts';
import { Attributes } from './attributes.ts';
import { FileLocks } from './file-locks.ts';
import { StaleFiles } from './stale-files.ts';
import { StateDirectory } from './state-directory.ts';

type ChangesOptions = Pick<WritingOptions, 'durability' | 'lockTimeoutMs' | 'maxJournalBytes' | 'maxJournalDays'>;

/** What every change needs: the locks, the journal, how durable it is to be. */
export class Changes implements AsyncDisposable {
  readonly locks: FileLocks;
  readonly journal: Journal;
  readonly stale: StaleFiles;
  readonly attributes: Attributes = new Attributes();
  readonly durability: Durability;

  /** @param directory the state directory; nothing is made in it before the first change */
  constructor(directory: string, options: ChangesOptions) {
    const state = new StateDirectory(directory);
    this.locks = new FileLocks(state, options.lockTimeoutMs);
    this.stale = new StaleFiles(state);
    this.journal = new Journal(state, options);
    this.durability = options.durability;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.attributes[Symbol.asyncDispose]();
    await this.stale[Symbol.asyncDispose]();
    await this.locks[Symbol.asyncDispose]();
  }
}
