import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';
import { foldName, spelled, type Place } from '@org/mcp-roots';

import { errorCode } from '../error-code.ts';
import { LockFiles } from './lock-file.ts';
import { Patience } from './patience.ts';
import type { StateDirectory } from './state-directory.ts';
import { Turns } from './turns.ts';

/** Milliseconds between two tries for a lock that another process has. */
const RETRY = 10;
/** Milliseconds for which a process that others wait for leaves them the lock: long enough for one of their tries. */
const YIELD = 3 * RETRY;
const MOST_NAMED = 3;

/** A name in a directory that was verified. */
export type Spot = Pick<Place, 'directory' | 'name' | 'shown'>;

/**
 * One change at a time of what has a name in a directory, by this process and all others with the same state directory.
 *
 * The name counts, not the file: every atomic write puts another file there. Two names of one file are two things to a writer, for
 * each gets a file of its own.
 */
export class FileLocks implements AsyncDisposable {
  readonly #turns = new Turns();
  readonly #state: StateDirectory;
  readonly #timeoutMs: number;
  #files: Promise<LockFiles> | undefined;

  constructor(state: StateDirectory, timeoutMs: number) {
    this.#state = state;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Does something while nobody else does anything to these.
   *
   * @throws ToolError TIMEOUT
   */
  async during<Value>(spots: readonly Spot[], signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const patience = new Patience(this.#timeoutMs, signal, () => timeout(spots));
    const releases: (() => void)[] = [];
    try {
      // In one order, so that nobody waits in a circle.
      for (const name of [...new Set(spots.map(nameOf))].sort()) releases.push(await this.#hold(name, patience));
      return await work();
    } finally {
      for (const release of releases.reverse()) release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const files = await this.#files?.catch(() => undefined);
    files?.close();
  }

  /** Resolves to what releases it. */
  async #hold(name: string, patience: Patience): Promise<() => void> {
    const end = await this.#turns.take(name, patience);
    try {
      const files = await this.#opened();
      while (!files.take(name)) {
        files.want(name);
        await patience.pause(RETRY * (0.5 + Math.random()));
      }
      return () => release(files, name, end);
    } catch (error) {
      end();
      if (errorCode(error) === undefined) throw error;
      this.#files = undefined;
      throw this.#state.failure(error);
    }
  }

  #opened(): Promise<LockFiles> {
    this.#files ??= this.#state.folder('locks').then((folder) => new LockFiles(folder));
    this.#files.catch(() => (this.#files = undefined));
    return this.#files;
  }
}

/** Who waits in this process goes on only after those of another one had their chance. */
function release(files: LockFiles, name: string, end: () => void): void {
  let pause = 0;
  try {
    files.release(name);
    if (files.isWanted(name)) pause = YIELD;
  } finally {
    if (pause > 0) setTimeout(end, pause);
    else end();
  }
}

/** Names that some file systems hold for one are one here: what is locked together needlessly only waits. */
function nameOf({ directory: { self }, name }: Spot): string {
  return createHash('sha256')
    .update(`${self.dev}:${self.ino}:${foldName(name)}`)
    .digest('hex')
    .slice(0, 32);
}

function timeout(spots: readonly Spot[]): ToolError {
  const named = spots.slice(0, MOST_NAMED).map((spot) => spelled(spot.shown));
  const shown = [...named, ...(spots.length > MOST_NAMED ? [`one of ${spots.length - MOST_NAMED} other files`] : [])].join(
    ' or ',
  );
  return new ToolError('TIMEOUT', `${shown} is being changed by others for too long`, { hint: 'try again' });
}
