import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';
import type { WorkerScope } from '@org/mcp-roots';

import type { JobKind, JobMessage, Jobs, WorkerMessage } from './jobs.ts';

// Tests run the sources, but threads always run compiled code, because not every version of Node.js reads TypeScript.
const DIRECTORY = import.meta.url.endsWith('.ts') ? '../../dist/threads' : '.';
export const PROGRAM: URL = new URL(`${DIRECTORY}/search-worker.js`, import.meta.url);
/** Time in which a thread must stop after a cancellation. A thread that is stuck in a regular expression longer is terminated. */
const GRACE_MS = 10;
/** Additional time for a thread to report that its own time limit was reached. */
const LATE_MS = 2000;
/** Maximum wait for a terminated thread, because a thread that waits for an unresponsive disk cannot be terminated. */
const ENDING_MS = 1000;
/** Maximum memory of a thread for JavaScript objects, in MiB. */
export const MEMORY_MB = 512;

/**
 * Throws a `UsageError` if the program of the threads does not exist. This is the case in a bundle without the entry
 * `@org/mcp-fs/search-worker`.
 */
export function requireThreadProgram(): void {
  if (existsSync(PROGRAM)) return;
  throw new UsageError(
    `the program of the search threads does not exist: ${fileURLToPath(PROGRAM)}; a bundle needs the entry point ` +
      '@org/mcp-fs/search-worker: https://github.com/org/mcp/blob/main/docs/build/bundling.md',
  );
}

/** A job for a worker thread. */
export interface Task<Kind extends JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly workerScope: WorkerScope;
  readonly signal: AbortSignal;
  readonly budgetMs: number;
  /** Called while the job runs, with found items and with the number of examined entries or searched files. */
  readonly onFound: (items: readonly Jobs[Kind]['item'][], scanned: number) => void;
}

/** A worker thread that runs one task at a time. It keeps the process alive only while it works. */
export class WorkerThread {
  readonly #worker: Worker;
  #isGone = false;
  #fail: ((error: unknown) => void) | undefined;

  constructor() {
    this.#worker = new Worker(PROGRAM, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    // Without this error, the code of `error` would be taken for a code of the file system.
    this.#worker.on('error', (error) => this.#break(new Error('the search thread failed', { cause: error })));
    this.#worker.on('exit', () => this.#break(new Error('the thread ended')));
    this.#worker.unref();
  }

  /** Whether the thread has ended, or is about to end. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /**
   * @returns the summary of the job
   * @throws the signal's reason; ToolError TIMEOUT; an error with a file system code
   */
  async run<Kind extends JobKind>(task: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    task.signal.throwIfAborted();
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const { kind, query, workerScope, budgetMs } = task;
    const message: JobMessage<Kind> = { kind, query, workerScope, stop, budgetMs };
    const watchdog = new Watchdog(task.signal, budgetMs + LATE_MS, stop);
    this.#worker.ref();
    try {
      return await Promise.race([this.#post(message, task), watchdog.overrun]);
    } catch (error) {
      if (watchdog.hasOverrun) await this.end();
      throw task.signal.aborted ? task.signal.reason : error;
    } finally {
      watchdog.end();
      this.#worker.removeAllListeners('message');
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#isGone = true;
    await Promise.race([this.#worker.terminate(), delay(ENDING_MS, undefined, { ref: false })]);
  }

  #break(error: unknown): void {
    this.#isGone = true;
    this.#fail?.(error);
  }

  #post<Kind extends JobKind>(message: JobMessage<Kind>, { onFound, signal }: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#worker.on('message', (report: WorkerMessage<Kind>) => {
        if (report.type === 'found') onFound(report.items, report.scanned);
        else if (report.type === 'failed') reject(Object.assign(new Error(report.message), { code: report.code }));
        else if (signal.aborted) reject(signal.reason);
        else resolve(report.summary);
      });
      this.#worker.postMessage(message);
    });
  }
}

/** Stops a job when its call is cancelled, and rejects when the job takes too long. */
class Watchdog {
  readonly overrun: Promise<never>;
  readonly #signal: AbortSignal;
  readonly #abort: () => void;
  readonly #timer: NodeJS.Timeout;
  #grace: NodeJS.Timeout | undefined;
  hasOverrun = false;

  constructor(signal: AbortSignal, budgetMs: number, stop: Int32Array) {
    let overrun = (): void => undefined;
    this.overrun = new Promise((_, reject) => {
      overrun = () => {
        this.hasOverrun = true;
        reject(new ToolError('TIMEOUT', 'the search reached its time limit', { hint: TIMEOUT_HINT }));
      };
    });
    this.#abort = () => {
      Atomics.store(stop, 0, 1);
      this.#grace = setTimeout(overrun, GRACE_MS);
    };
    this.#signal = signal;
    this.#timer = setTimeout(overrun, budgetMs);
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

const TIMEOUT_HINT = 'narrow the directory, use a simpler regular expression, or search for plain text';
