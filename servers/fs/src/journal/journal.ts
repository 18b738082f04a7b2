import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../storage/error-code.ts';
import type { StateDirectory } from '../storage/state-directory.ts';
import type { Durability } from '../storage/write-atomically.ts';
import { isChange, type Change, type Step } from './change.ts';
import { ContentStore } from './contents.ts';
import { listHashes } from './snapshot.ts';

/** `TIME-RANDOM.BYTES.json`: the time is in milliseconds, with nine digits in base 36, so that names sort by time. */
const RECORD = /^([\da-z]{9}-[\da-f]{8})\.(\d+)\.json$/;
const ID = /^[\da-z]{9}-[\da-f]{8}$/;
/** Milliseconds between two removals of expired changes. */
const PRUNE_INTERVAL = 300_000;
/** Maximum number of records, because listing more records would take too long. */
const MAX_RECORDS = 10_000;
/** Maximum difference in milliseconds between the clocks of processes and of the disk. */
const CLOCK_SKEW = 60_000;

export interface JournalOptions {
  readonly durability: Durability;
  readonly maxJournalBytes: number;
  /** How long a change can be undone, in ms. */
  readonly maxJournalAge: number;
}

interface Entry {
  readonly file: string;
  readonly id: string;
  readonly bytes: number;
}

/**
 * Records changes so that they can be undone. The record contains the state before and after a change and is written before the
 * change is made. So after a crash, the record is correct whether or not the change was made. All processes with the same state
 * directory share one journal.
 */
export class Journal {
  readonly contents: ContentStore;
  /** Maximum number of bytes of content that one change may store. */
  readonly maxBytes: number;
  readonly #state: StateDirectory;
  readonly #options: JournalOptions;
  #last = 0;
  #pruned = 0;
  #bytesSincePruning = 0;

  constructor(state: StateDirectory, options: JournalOptions) {
    this.contents = new ContentStore(state, options.durability);
    this.maxBytes = options.maxJournalBytes;
    this.#state = state;
    this.#options = options;
  }

  /** @param bytes number of bytes of content that were stored for this change */
  async record(tool: string, steps: readonly Step[], bytes: number): Promise<string> {
    this.#last = Math.max(this.#last + 1, Date.now());
    const id = `${this.#last.toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
    const change: Change = { id, time: new Date(this.#last).toISOString(), tool, steps };
    await this.#requireContents(steps);
    const folder = await this.#folder();
    const temporary = path.join(folder, `${id}.tmp`);
    try {
      await this.#write(temporary, JSON.stringify(change));
      await rename(temporary, path.join(folder, `${id}.${bytes}.json`));
    } catch (error) {
      await rm(temporary, { force: true });
      throw this.#state.toToolError(error);
    }
    this.#bytesSincePruning += bytes;
    if (Date.now() - this.#pruned > PRUNE_INTERVAL || this.#bytesSincePruning > this.maxBytes / 8)
      await this.#prune().catch(() => undefined);
    return id;
  }

  /** Removes the record of a change that failed. */
  async forget(id: string): Promise<void> {
    const entry = (await this.#entries()).find((each) => each.id === id);
    if (entry !== undefined) await rm(path.join(await this.#folder(), entry.file), { force: true });
  }

  /** @throws ToolError NOT_FOUND */
  async get(id: string): Promise<Change> {
    const entry = ID.test(id) ? (await this.#entries()).find((each) => each.id === id) : undefined;
    const change = entry && (await this.#read(entry));
    if (change !== undefined) return change;
    throw changeNotFound(id);
  }

  /** Yields the latest change first. @param before id; only earlier changes are returned */
  async *list(before?: string): AsyncGenerator<Change> {
    const entries = await this.#entries();
    for (const entry of entries.reverse()) {
      if (before !== undefined && entry.id >= before) continue;
      const change = await this.#read(entry);
      if (change !== undefined) yield change;
    }
  }

  /** Stored contents without a record may have been pruned during a long change. */
  async #requireContents(steps: readonly Step[]): Promise<void> {
    for (const hash of steps.flatMap((step) => (step.kind === 'put' ? [...listHashes(step.before)] : []))) {
      if (await this.contents.refresh(hash)) continue;
      throw new ToolError('IO', 'the undo journal removed the previous content before the change was made', {
        hint: 'nothing was changed; try again, or set permanent to make the change without undo',
      });
    }
  }

  #folder(): Promise<string> {
    return this.#state.folder('changes');
  }

  /** Returns the oldest entry first. */
  async #entries(): Promise<Entry[]> {
    const names = (await readdir(await this.#folder())).sort();
    return names.flatMap((file) => {
      const [, id, bytes] = RECORD.exec(file) ?? [];
      return id === undefined ? [] : [{ file, id, bytes: Number(bytes) }];
    });
  }

  /** Returns `undefined` for a removed or invalid record. */
  async #read({ file }: Entry): Promise<Change | undefined> {
    try {
      const change: unknown = JSON.parse(await readFile(path.join(await this.#folder(), file), 'utf8'));
      return isChange(change) ? change : undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async #write(file: string, text: string): Promise<void> {
    await using record = await open(file, 'wx', 0o600);
    await record.writeFile(text);
    if (this.#options.durability === 'full') await record.sync();
  }

  /** Removes expired records and records beyond the limits, then contents that are older than all remaining records. */
  async #prune(): Promise<void> {
    this.#pruned = Date.now();
    this.#bytesSincePruning = 0;
    const oldest = this.#pruned - this.#options.maxJournalAge;
    const entries = await this.#entries();
    let bytes = 0;
    let left = entries.length;
    while (left > 0) {
      const entry = entries[left - 1];
      bytes += entry?.bytes ?? 0;
      const isOverLimit = bytes > this.maxBytes || entries.length - left >= MAX_RECORDS;
      if (entry === undefined || isOverLimit || parseTime(entry.id) < oldest) break;
      left -= 1;
    }
    const folder = await this.#folder();
    for (const { file } of entries.slice(0, left)) await rm(path.join(folder, file), { force: true });
    const first = entries[left];
    await this.contents.removeBefore(Math.min(first === undefined ? Infinity : parseTime(first.id), this.#pruned) - CLOCK_SKEW);
  }
}

/** Creates the error for an unknown id and for a change that the caller may not access. Both cases have the same text. */
export function changeNotFound(id: string): ToolError {
  return new ToolError('NOT_FOUND', `the journal has no change ${JSON.stringify(id.slice(0, 40))}`, {
    hint: 'list_changes lists the changes that can be undone',
  });
}

function parseTime(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}
