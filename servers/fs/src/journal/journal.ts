import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../storage/error-code.ts';
import { NewStateFile } from '../storage/new-state-file.ts';
import type { StateDirectory } from '../storage/state-directory.ts';
import type { Durability } from '../storage/write-atomically.ts';
import { isChange, listNeeded, listStored, type Change, type Step } from './change.ts';
import { ContentStore } from './contents.ts';
import { chooseRemoved } from './eviction.ts';

/**
 * `TIME-RANDOM.BYTES.json`. TIME is in milliseconds, with nine digits in base 36, so that names sort by time. BYTES is the size
 * of the record and of the contents that were stored for it.
 */
const RECORD = /^([\da-z]{9}-[\da-f]{8})\.(\d+)\.json$/;
const ID = /^[\da-z]{9}-[\da-f]{8}$/;
/** Milliseconds after which the next change also removes expired changes, and old contents without a record. */
const PRUNE_INTERVAL = 300_000;
/** Maximum number of records, because listing more records would take too long. */
const MAX_RECORDS = 10_000;
/** Maximum share of the journal that one change may use, so that a large change does not remove all other changes. */
const LARGEST_SHARE = 0.75;
/** After a process has stored this share of `maxJournalBytes`, it enforces the limits, because other processes store too. */
const LOOK_SHARE = 1 / 64;
/** Assumed maximum difference in milliseconds between the clocks of processes and of the disk. */
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
  #bytesSinceLook = 0;

  constructor(state: StateDirectory, options: JournalOptions) {
    this.contents = new ContentStore(state, options.durability);
    this.maxBytes = Math.floor(options.maxJournalBytes * LARGEST_SHARE);
    this.#state = state;
    this.#options = options;
  }

  /**
   * Writes the record of a change, and resolves to its id.
   *
   * @param bytes number of bytes of content that were stored for this change
   * @throws ToolError IO if a needed content is no longer stored or the record cannot be written; NO_SPACE
   */
  async record(tool: string, steps: readonly Step[], bytes: number): Promise<string> {
    // The contents are refreshed first: if another process removes an older record now, it keeps contents newer than that record.
    await this.#requireContents(steps);
    const id = this.createId();
    const change: Change = { id, time: formatTime(id), tool, steps };
    const text = JSON.stringify(change);
    const size = bytes + Buffer.byteLength(text);
    const folder = await this.#folder();
    const temporary = path.join(folder, `${id}.tmp`);
    try {
      await using file = await NewStateFile.create(temporary, this.#options.durability);
      await file.write(Buffer.from(text));
      await file.saveAs(path.join(folder, `${id}.${size}.json`));
    } catch (error) {
      throw this.#state.toToolError(error);
    }
    this.#bytesSinceLook += size;
    const isDue = Date.now() - this.#pruned > PRUNE_INTERVAL;
    if (isDue || this.#bytesSinceLook > this.#options.maxJournalBytes * LOOK_SHARE)
      await this.#prune(isDue).catch(() => undefined);
    return id;
  }

  /**
   * Creates the id of a change or a checkpoint. Each id is greater than all earlier ids of this process. The ids of all processes
   * sort by time.
   */
  createId(): string {
    this.#last = Math.max(this.#last + 1, Date.now());
    return `${this.#last.toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
  }

  /** Returns the greatest id of the changes that were removed because of the limits, or `undefined` if all changes are kept. */
  async findLastRemoved(): Promise<string | undefined> {
    const names = await readdir(await this.#state.folder('removed'));
    return names
      .filter((name) => ID.test(name))
      .sort()
      .at(-1);
  }

  /** Removes the record of a change that failed. */
  async forget(id: string): Promise<void> {
    const entry = (await this.#entries()).find((each) => each.id === id);
    if (entry !== undefined) await rm(path.join(await this.#folder(), entry.file), { force: true });
  }

  /** @throws ToolError NOT_FOUND if the journal has no valid record with this id */
  async get(id: string): Promise<Change> {
    const entry = ID.test(id) ? (await this.#entries()).find((each) => each.id === id) : undefined;
    const change = entry && (await this.#read(entry));
    if (change !== undefined) return change;
    throw changeNotFound(id);
  }

  /** Yields the changes, the latest first. @param before an id; only earlier changes are yielded */
  async *list(before?: string): AsyncGenerator<Change> {
    const entries = await this.#entries();
    for (const entry of entries.reverse()) {
      if (before !== undefined && entry.id >= before) continue;
      const change = await this.#read(entry);
      if (change !== undefined) yield change;
    }
  }

  /**
   * Requires the contents that steps need, and resets their age. Contents without a record may have been removed during a long
   * change.
   *
   * @throws ToolError IO if a content is no longer stored
   */
  async #requireContents(steps: readonly Step[]): Promise<void> {
    for (const hash of listNeeded(steps)) {
      if (await this.contents.refresh(hash)) continue;
      throw new ToolError('IO', 'the undo journal removed the previous content before the change was made', {
        hint: 'nothing was changed; try again, or, if the tool has the argument permanent, set it to make the change without undo',
      });
    }
  }

  #folder(): Promise<string> {
    return this.#state.folder('changes');
  }

  /** Returns the entries of all records, the oldest first. */
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

  /**
   * Removes expired records and records beyond the limits, with the contents that only these records need.
   *
   * @param isDue whether to remove old contents without a record as well
   */
  async #prune(isDue: boolean): Promise<void> {
    const now = Date.now();
    this.#bytesSinceLook = 0;
    const { maxJournalBytes, maxJournalAge } = this.#options;
    const entries = (await this.#entries()).map((entry) => ({ ...entry, age: now - parseTime(entry.id) }));
    const removed = chooseRemoved(entries, { maxBytes: maxJournalBytes, maxAge: maxJournalAge, maxRecords: MAX_RECORDS });
    const left = entries.filter((entry) => !removed.has(entry));
    if (removed.size > 0) await this.#remove([...removed], left);
    if (!isDue) return;
    this.#pruned = now;
    const oldest = left[0] === undefined ? now : Math.min(parseTime(left[0].id), now);
    await this.contents.removeBefore(oldest - CLOCK_SKEW);
  }

  async #remove(removed: readonly Entry[], left: readonly Entry[]): Promise<void> {
    const used = new Set<string>();
    for (const entry of left) for (const hash of await this.#readStored(entry)) used.add(hash);
    const folder = await this.#folder();
    await this.#noteRemoved(
      removed
        .map(({ id }) => id)
        .sort()
        .at(-1) ?? '',
    );
    for (const entry of removed) {
      const unused = (await this.#readStored(entry)).filter((hash) => !used.has(hash));
      await rm(path.join(folder, entry.file), { force: true });
      await this.contents.remove(unused, parseTime(entry.id));
    }
  }

  /** Notes the id of the latest change that is about to be removed, and deletes the notes of earlier changes. */
  async #noteRemoved(id: string): Promise<void> {
    const folder = await this.#state.folder('removed');
    await writeFile(path.join(folder, id), '', { mode: 0o600 });
    for (const name of await readdir(folder)) if (name < id) await rm(path.join(folder, name), { force: true });
  }

  async #readStored(entry: Entry): Promise<readonly string[]> {
    return listStored((await this.#read(entry))?.steps ?? []);
  }
}

/** Creates the error for an unknown id and for a change that the caller may not access. Both cases have the same text. */
export function changeNotFound(id: string): ToolError {
  return new ToolError('NOT_FOUND', `the journal has no change ${JSON.stringify(id.slice(0, 40))}`, {
    hint: 'list_changes lists the changes that can be undone',
  });
}

/** Returns the time of an id in ISO 8601. */
export function formatTime(id: string): string {
  return new Date(parseTime(id)).toISOString();
}

function parseTime(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}
