import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';
import { foldName, quotePath, type PathEntry } from '@org/mcp-roots';

import { errorCode } from './error-code.ts';
import { LockFiles } from './lock-files.ts';
import type { StateDirectory } from './state-directory.ts';

/** Average milliseconds between two attempts to take the lock of another process. */
const RETRY = 10;
/**
 * Milliseconds for which a process does not take a lock again that another process requested. The other process usually makes
 * at least one attempt in this time.
 */
const YIELD = 3 * RETRY;
const MAX_NAMED = 3;

/** A name in a verified directory. */
export type LockTarget = Pick<PathEntry, 'directory' | 'name' | 'shown'>;

/**
 * Serializes changes of each name in a directory across all processes with the same state directory.
 *
 * A lock belongs to the name, not to the file, because every atomic write replaces the file. Two hard links of one file have
 * separate locks, because an atomic write replaces only one of the links with a new file.
 */
export class FileLocks implements AsyncDisposable {
  readonly #mutex = new KeyedMutex();
  readonly #state: StateDirectory;
  readonly #timeoutMs: number;
  #files: Promise<LockFiles> | undefined;

  constructor(state: StateDirectory, timeoutMs: number) {
    this.#state = state;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs `work` while holding the locks of all targets.
   *
   * @throws ToolError TIMEOUT if the locks do not become free in time; IO or NO_SPACE if the state directory cannot be used; the
   * signal's reason
   */
  async during<Value>(targets: readonly LockTarget[], signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const budget = new WaitBudget(this.#timeoutMs, signal, () => createTimeout(targets));
    const releases: (() => void)[] = [];
    try {
      // A fixed order prevents deadlocks.
      for (const name of [...new Set(targets.map(createLockName))].sort()) releases.push(await this.#acquire(name, budget));
      return await work();
    } finally {
      for (const release of releases.reverse()) release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const files = await this.#files?.catch(() => undefined);
    files?.close();
  }

  /** Acquires a lock and resolves to the function that releases the lock. */
  async #acquire(name: string, budget: WaitBudget): Promise<() => void> {
    const releaseMutex = await this.#mutex.acquire(name, budget);
    try {
      const files = await this.#opened();
      while (!files.tryTake(name)) {
        files.requestHandover(name);
        await budget.sleep(RETRY * (0.5 + Math.random()));
      }
      return () => release(files, name, releaseMutex);
    } catch (error) {
      releaseMutex();
      if (errorCode(error) === undefined) throw error;
      this.#files = undefined;
      throw this.#state.toToolError(error);
    }
  }

  #opened(): Promise<LockFiles> {
    this.#files ??= this.#state.folder('locks').then((folder) => new LockFiles(folder));
    this.#files.catch(() => (this.#files = undefined));
    return this.#files;
  }
}

/** Releases a lock. If another process requested the lock, waiting calls of this process continue only after a pause. */
function release(files: LockFiles, name: string, releaseMutex: () => void): void {
  let pause = 0;
  try {
    files.release(name);
    if (files.takeHandoverRequest(name)) pause = YIELD;
  } finally {
    if (pause > 0) setTimeout(releaseMutex, pause);
    else releaseMutex();
  }
}

/**
 * Returns the name of the lock of a target. Some file systems treat different spellings of a name as equal, so the name is
 * folded. On other file systems, two files may share a lock, which only delays a change.
 */
function createLockName({ directory: { self }, name }: LockTarget): string {
  return createHash('sha256')
    .update(`${self.dev}:${self.ino}:${foldName(name)}`)
    .digest('hex')
    .slice(0, 32);
}

function createTimeout(targets: readonly LockTarget[]): ToolError {
  const named = targets.slice(0, MAX_NAMED).map(({ shown }) => quotePath(shown));
  const names = [...named, ...(targets.length > MAX_NAMED ? [`one of ${targets.length - MAX_NAMED} other files`] : [])].join(
    ' or ',
  );
  return new ToolError('TIMEOUT', `other changes of ${names} take too long`, { hint: 'try again' });
}

/** A mutex for each name. The waiting calls of this process acquire a mutex in FIFO order. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Acquires the mutex of a name and resolves to its release function. */
  async acquire(name: string, budget: WaitBudget): Promise<() => void> {
    const previous = this.#last.get(name) ?? Promise.resolve();
    let release = (): void => undefined;
    const own = new Promise<void>((resolve) => (release = resolve));
    const last = previous.then(() => own);
    this.#last.set(name, last);
    void last.then(() => this.#last.get(name) === last && this.#last.delete(name));
    try {
      await budget.wait(previous);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}

/** The time that a call may wait. Waiting also ends when the call is cancelled. */
class WaitBudget {
  readonly #deadline: number;
  readonly #signal: AbortSignal;
  readonly #onTimeout: () => ToolError;

  constructor(milliseconds: number, signal: AbortSignal, onTimeout: () => ToolError) {
    this.#deadline = performance.now() + milliseconds;
    this.#signal = signal;
    this.#onTimeout = onTimeout;
  }

  /** Waits for a promise. @throws the error of `onTimeout`, or the signal's reason */
  async wait<Value>(wanted: Promise<Value>): Promise<Value> {
    this.#signal.throwIfAborted();
    let cleanUp = (): void => undefined;
    const limit = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(this.#onTimeout()), Math.max(0, this.#deadline - performance.now()));
      const abort = (): void => reject(this.#signal.reason);
      this.#signal.addEventListener('abort', abort);
      cleanUp = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', abort);
      };
    });
    try {
      return await Promise.race([wanted, limit]);
    } finally {
      cleanUp();
    }
  }

  async sleep(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.wait(new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))));
    } finally {
      clearTimeout(timer);
    }
  }
}
