import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import { errorCode } from '../error-code.ts';
import type { Durability } from '../options/writing-options.ts';
import type { StateDirectory } from '../write/state-directory.ts';
import { isChange, type Change, type Step } from './change.ts';
import { Contents } from './contents.ts';
import { hashesIn } from './snapshot.ts';

/** `TIME-RANDOM.BYTES.json`; the time in milliseconds, of nine digits to the base 36, so that names sort by it. */
const RECORD = /^([\da-z]{9}-[\da-f]{8})\.(\d+)\.json$/;
const ID = /^[\da-z]{9}-[\da-f]{8}$/;
const DAY = 86_400_000;
/** Milliseconds between two looks at what is too old or too much. */
const PRUNING = 300_000;
/** More records than this are not kept: listing them would take long. */
const MOST_RECORDS = 10_000;
/** Milliseconds that the clocks of processes and of the disk may be apart. */
const MARGIN = 60_000;

export interface JournalOptions {
  readonly durability: Durability;
  readonly maxJournalBytes: number;
  readonly maxJournalDays: number;
}

interface Entry {
  readonly file: string;
  readonly id: string;
  readonly bytes: number;
}

/**
 * What was changed, so that it can be undone. A change is recorded before it is made, with what there will be, too: after a crash
 * the record is true whether the change was made or not. All processes with the same state directory write one journal.
 */
export class Journal {
  readonly contents: Contents;
  /** More than this is not kept of one change. */
  readonly maxBytes: number;
  readonly #state: StateDirectory;
  readonly #options: JournalOptions;
  #last = 0;
  #pruned = 0;
  #since = 0;

  constructor(state: StateDirectory, options: JournalOptions) {
    this.contents = new Contents(state, options.durability);
    this.maxBytes = options.maxJournalBytes;
    this.#state = state;
    this.#options = options;
  }

  /** @param bytes how much content was kept for it */
  async record(tool: string, steps: readonly Step[], bytes: number): Promise<string> {
    this.#last = Math.max(this.#last + 1, Date.now());
    const id = `${this.#last.toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
    const change: Change = { id, time: new Date(this.#last).toISOString(), tool, steps };
    await this.#requireKept(steps);
    const folder = await this.#folder();
    const temporary = path.join(folder, `${id}.tmp`);
    try {
      await this.#write(temporary, JSON.stringify(change));
      await rename(temporary, path.join(folder, `${id}.${bytes}.json`));
    } catch (error) {
      await rm(temporary, { force: true });
      throw this.#state.failure(error);
    }
    this.#since += bytes;
    if (Date.now() - this.#pruned > PRUNING || this.#since > this.maxBytes / 8) await this.#prune().catch(() => undefined);
    return id;
  }

  /** For a change that was not made after all. */
  async forget(id: string): Promise<void> {
    const entry = (await this.#entries()).find((each) => each.id === id);
    if (entry !== undefined) await rm(path.join(await this.#folder(), entry.file), { force: true });
  }

  /** @throws ToolError NOT_FOUND */
  async get(id: string): Promise<Change> {
    const entry = ID.test(id) ? (await this.#entries()).find((each) => each.id === id) : undefined;
    const change = entry && (await this.#read(entry));
    if (change !== undefined) return change;
    throw notKept(id);
  }

  /** The latest first. @param before only those before this one */
  async *list(before?: string): AsyncGenerator<Change> {
    const entries = await this.#entries();
    for (const entry of entries.reverse()) {
      if (before !== undefined && entry.id >= before) continue;
      const change = await this.#read(entry);
      if (change !== undefined) yield change;
    }
  }

  /** What was kept long ago, while much was kept, may have been let go of by then: no record told of it. */
  async #requireKept(steps: readonly Step[]): Promise<void> {
    for (const hash of steps.flatMap((step) => (step.kind === 'put' ? [...hashesIn(step.before)] : []))) {
      if (await this.contents.refresh(hash)) continue;
      throw new ToolError('IO', 'what was there before is no longer kept for undo_change', {
        hint: 'nothing was changed; try again, or with permanent',
      });
    }
  }

  #folder(): Promise<string> {
    return this.#state.folder('changes');
  }

  /** The oldest first. */
  async #entries(): Promise<Entry[]> {
    const names = (await readdir(await this.#folder())).sort();
    return names.flatMap((file) => {
      const [, id, bytes] = RECORD.exec(file) ?? [];
      return id === undefined ? [] : [{ file, id, bytes: Number(bytes) }];
    });
  }

  /** `undefined` for one that was removed meanwhile, and for what is none. */
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

  /** Lets go of what is too old or too much, and then of contents that were kept before all that is left. */
  async #prune(): Promise<void> {
    this.#pruned = Date.now();
    this.#since = 0;
    const oldest = this.#pruned - this.#options.maxJournalDays * DAY;
    const entries = await this.#entries();
    let bytes = 0;
    let left = entries.length;
    while (left > 0) {
      const entry = entries[left - 1];
      bytes += entry?.bytes ?? 0;
      const isTooMuch = bytes > this.maxBytes || entries.length - left >= MOST_RECORDS;
      if (entry === undefined || isTooMuch || timeOf(entry.id) < oldest) break;
      left -= 1;
    }
    const folder = await this.#folder();
    for (const { file } of entries.slice(0, left)) await rm(path.join(folder, file), { force: true });
    const first = entries[left];
    await this.contents.removeBefore(Math.min(first === undefined ? Infinity : timeOf(first.id), this.#pruned) - MARGIN);
  }
}

/** The same for an id that nobody was given and for one of what the caller may not touch. */
export function notKept(id: string): ToolError {
  return new ToolError('NOT_FOUND', `no change ${JSON.stringify(id.slice(0, 40))} is kept`, {
    hint: 'list_changes lists those that can be undone',
  });
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}
