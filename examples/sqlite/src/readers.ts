import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';

import { FairSemaphore, getCaller, ToolError } from '@org/mcp-decorators';
import { timeoutError } from '@org/mcp-sql/engine';

import type { ReaderReply, ReaderRequest, RowBatch } from './reader.js';
import { translateError } from './errors.js';

// The compiled program of a reader. Tests run this module from its source, but Node.js runs only the compiled program.
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? '../dist/reader.js' : 'reader.js', import.meta.url);
/** Maximum number of statements that run at the same time. */
const PROCESSES = 4;

/** Limits of a call. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** One statement that reads. */
export interface Statement {
  readonly sql: string;
  readonly params?: readonly (string | null)[];
  /** Maximum number of rows; 0 only describes the columns. Default: no limit. */
  readonly limit?: number;
}

/** A process that runs one statement at a time. */
export class Reader {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly inode: number | undefined;
  /** Whether the statement that runs in the process has further rows. */
  isBusy = false;

  constructor(file: string, inode: number | undefined) {
    this.inode = inode;
    const options: ForkOptions = { execArgv: [], serialization: 'advanced', stdio: ['pipe', 'ignore', 'ignore', 'ipc'] };
    this.#process = fork(PROGRAM, [file], options);
    this.#ended = once(this.#process, 'exit').catch(() => undefined);
  }

  get isGone(): boolean {
    return !this.#process.connected;
  }

  /** Runs a statement. @throws ToolError errors of SQLite, also while the rows are read */
  async run({ sql, params = [], limit = Infinity }: Statement) {
    const first = await this.#request({ kind: 'run', sql, params, limit });
    return { columns: first.columns ?? [], placeholders: first.placeholders ?? 0, batches: this.#batches(first) };
  }

  async *#batches(first: RowBatch): AsyncGenerator<RowBatch['rows']> {
    for (let batch = first; ; batch = await this.#request({ kind: 'next' })) {
      yield batch.rows;
      if (batch.isLast) return;
    }
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  async #request(request: ReaderRequest): Promise<RowBatch> {
    if (this.isGone) this.#fail();
    const settled = new AbortController();
    try {
      const replied = once(this.#process, 'message', settled);
      const exited = once(this.#process, 'exit', settled).then(([code, signal]) => this.#fail(signal ?? code));
      this.#process.send(request, (error) => error && void this.kill());
      const [reply] = (await Promise.race([replied, exited])) as [ReaderReply];
      this.isBusy = 'isLast' in reply && !reply.isLast;
      if ('code' in reply) throw translateError(reply);
      return reply;
    } finally {
      settled.abort();
    }
  }

  #fail(reason = 'unexpectedly'): never {
    throw new ToolError('QUERY_FAILED', `the process that read the database ended: ${reason}`, { hint: 'narrow the statement' });
  }
}

/** Processes that read one database. A cancelled statement ends its process; a later statement starts a new one. */
export class Readers implements AsyncDisposable {
  readonly #file: string;
  readonly #idle: Reader[] = [];
  readonly #busy = new Set<Reader>();
  readonly #disposed = new AbortController();
  readonly #slots = new FairSemaphore({
    slots: PROCESSES,
    refusal: () => new ToolError('OVERLOADED', `${PROCESSES} statements are already running`, { hint: 'try again later' }),
  });

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Lets `work` use a reader. If the signal is aborted or the time is over, the reader ends.
   *
   * @throws the reason of the signal; ToolError TIMEOUT, OVERLOADED, errors of `work`
   */
  run<Outcome>({ signal, timeoutMs }: CallLimits, work: (reader: Reader) => Promise<Outcome>): Promise<Outcome> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ending = AbortSignal.any([signal, timeout, this.#disposed.signal]);
    const runInSlot = (): Promise<Outcome> => this.#runOn(ending, work);
    return this.#slots.run(runInSlot, getCaller(signal), { signal: ending }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw timeout.aborted ? timeoutError(timeoutMs) : error;
    });
  }

  /** Returns all rows of a statement. @throws as `run` */
  rows(statement: Statement, limits: CallLimits): Promise<readonly (readonly (string | null)[])[]> {
    return this.run(limits, async (reader) => {
      const found: (readonly (string | null)[])[] = [];
      for await (const rows of (await reader.run(statement)).batches) found.push(...rows);
      return found;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort();
    await Promise.all([...this.#idle, ...this.#busy].map((reader) => reader.kill()));
  }

  /** Returns a process that reads the present file: another program may have replaced the file. */
  async #take(): Promise<Reader> {
    const inode = (await stat(this.#file).catch(() => undefined))?.ino;
    const idle = this.#idle.pop();
    if (idle !== undefined && !idle.isGone && idle.inode === inode) return idle;
    void idle?.kill();
    return new Reader(this.#file, inode);
  }

  async #runOn<Outcome>(ending: AbortSignal, work: (reader: Reader) => Promise<Outcome>): Promise<Outcome> {
    const reader = await this.#take();
    this.#busy.add(reader);
    const kill = (): void => void reader.kill();
    ending.addEventListener('abort', kill);
    try {
      ending.throwIfAborted();
      return await work(reader);
    } finally {
      ending.removeEventListener('abort', kill);
      // A statement with more rows holds a lock, which other programs would wait for.
      if (reader.isBusy || ending.aborted) await reader.kill();
      else this.#idle.push(reader);
      this.#busy.delete(reader);
    }
  }
}
