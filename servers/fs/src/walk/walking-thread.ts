import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { ToolError } from '@org/mcp-decorators';
import type { ThreadGround } from '@org/mcp-roots';

import type { JobKind, Jobs, Order, Report } from './job.ts';

// What is compiled runs in threads also where the sources do: not all versions of Node.js read TypeScript.
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '../../dist/walk/thread.js' : './thread.js', import.meta.url);
/** A thread that was told to stop and does not within this time is in a regular expression, and is ended. */
const GRACE_MS = 10;
/** A thread keeps its time itself; this is how much longer it may take to say so. */
const LATE_MS = 2000;
/** A thread that waits for a disk which does not answer cannot be ended; nobody waits for it longer than this. */
const ENDING_MS = 1000;
const MEMORY_MB = 512;

/** Work for a thread, and who waits for it. */
export interface Task<Kind extends JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly ground: ThreadGround;
  readonly signal: AbortSignal;
  readonly budgetMs: number;
  /** Told of what is found as it is found, and of how much was looked at. */
  readonly onFound: (items: readonly Jobs[Kind]['item'][], scanned: number) => void;
}

/** A thread that walks and searches, one task at a time. It keeps the process alive only while it works. */
export class WalkingThread {
  readonly #worker: Worker;
  #isGone = false;
  #fail: ((error: unknown) => void) | undefined;

  constructor() {
    this.#worker = new Worker(PROGRAM, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    this.#worker.on('error', (error) => this.#break(error));
    this.#worker.on('exit', () => this.#break(new Error('the thread ended')));
    this.#worker.unref();
  }

  /** Whether it has ended, and takes no more tasks. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /**
   * @returns what is said at the end
   * @throws the signal's reason; ToolError TIMEOUT; an error with the code of the file system's
   */
  async run<Kind extends JobKind>(task: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    task.signal.throwIfAborted();
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const { kind, query, ground, budgetMs } = task;
    const order: Order<Kind> = { kind, query, ground, stop, budgetMs };
    const watch = new Watch(task.signal, budgetMs + LATE_MS, stop);
    this.#worker.ref();
    try {
      return await Promise.race([this.#answer(order, task), watch.overrun]);
    } catch (error) {
      if (watch.hasOverrun) await this.end();
      throw task.signal.aborted ? task.signal.reason : error;
    } finally {
      watch.end();
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

  #answer<Kind extends JobKind>(order: Order<Kind>, { onFound, signal }: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#worker.on('message', (report: Report<Kind>) => {
        if (report.type === 'found') onFound(report.items, report.scanned);
        else if (report.type === 'failed') reject(Object.assign(new Error(report.message), { code: report.code }));
        else if (signal.aborted) reject(signal.reason);
        else resolve(report.summary);
      });
      this.#worker.postMessage(order);
    });
  }
}

/** Tells a thread to stop when nobody waits any more, and says when it takes too long. */
class Watch {
  readonly overrun: Promise<never>;
  readonly #signal: AbortSignal;
  readonly #abort: () => void;
  readonly #timer: NodeJS.Timeout;
  #grace: NodeJS.Timeout | undefined;
  hasOverrun = false;

  constructor(signal: AbortSignal, budgetMs: number, stop: Int32Array) {
    let over = (): void => undefined;
    this.overrun = new Promise((_, reject) => {
      over = () => {
        this.hasOverrun = true;
        reject(new ToolError('TIMEOUT', 'the search took longer than it may', { hint: TIMEOUT_HINT }));
      };
    });
    this.#abort = () => {
      Atomics.store(stop, 0, 1);
      this.#grace = setTimeout(over, GRACE_MS);
    };
    this.#signal = signal;
    this.#timer = setTimeout(over, budgetMs);
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

const TIMEOUT_HINT = 'narrow the directory, use a simpler regular expression, or search for plain text';
