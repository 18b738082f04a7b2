import { availableParallelism } from 'node:os';

import { getCaller, FairSemaphore, ToolError, type Caller } from '@org/mcp-decorators';

import type { JobKind, Jobs } from './jobs.ts';
import { WorkerThread, type Task } from './worker-thread.ts';

/** The kinds of jobs for which a caller may use only a part of its threads: searches and replacements in contents of files. */
const LONG: ReadonlySet<JobKind> = new Set(['files', 'content', 'replacements', 'closest']);
/** Maximum number of threads of one caller for long jobs; with more threads, each thread only waits longer for the disk. */
const MAX_THREADS = 4;
/**
 * Number of threads of one caller for long jobs: one for each CPU core, at most {@link MAX_THREADS}. The main thread needs
 * little CPU time to answer requests.
 */
export const LONG_THREADS: number = Math.min(MAX_THREADS, availableParallelism());
/** Number of threads of one caller. One thread is only for short jobs, so that a long search does not delay a listing. */
const THREADS = LONG_THREADS + 1;
/**
 * Number of callers that can use all their threads at once. A regular expression cannot be preempted, so one busy caller must
 * not use all threads.
 */
const CALLERS = 2;
/**
 * Maximum number of waiting tasks of one caller. A search adds one task for each of its threads, and one for its list of
 * files.
 */
const MAX_WAITING = 256;

/**
 * Pool of worker threads that walk and search, shared fairly between callers. Threads start on demand. The pool keeps as many
 * idle threads as one caller may use.
 *
 * The time that a task waits for a thread counts towards its time limit.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #idle: WorkerThread[] = [];
  readonly #busy = new Set<WorkerThread>();
  readonly #long = createSlots(LONG_THREADS);
  readonly #all = createSlots(THREADS);

  /**
   * Runs a task in a thread as soon as the caller may use one.
   *
   * @throws the signal's reason; ToolError TIMEOUT, OVERLOADED; an error with a file system code
   */
  async run<Kind extends JobKind>(task: Task<Kind>, caller: Caller = getCaller(task.signal)): Promise<Jobs[Kind]['summary']> {
    const deadline = performance.now() + task.budgetMs;
    const left = (): number => Math.max(0, deadline - performance.now());
    const runInSlot = <Outcome>(slots: FairSemaphore, work: () => Promise<Outcome>): Promise<Outcome> =>
      slots.run(work, caller, { signal: task.signal, withinMs: left() });
    const runOnThread = (): Promise<Jobs[Kind]['summary']> =>
      runInSlot(this.#all, () => this.#runOn(this.#takeThread(), { ...task, budgetMs: left() }));
    return LONG.has(task.kind) ? runInSlot(this.#long, runOnThread) : runOnThread();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.end()));
  }

  #takeThread(): WorkerThread {
    const idle = this.#idle.pop();
    return idle === undefined || idle.isGone ? new WorkerThread() : idle;
  }

  async #runOn<Kind extends JobKind>(thread: WorkerThread, task: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    this.#busy.add(thread);
    try {
      return await thread.run(task);
    } finally {
      this.#busy.delete(thread);
      if (!thread.isGone && this.#idle.length < THREADS) this.#idle.push(thread);
      else void thread.end();
    }
  }
}

function createSlots(slotsPerCaller: number): FairSemaphore {
  return new FairSemaphore({
    slots: CALLERS * slotsPerCaller,
    slotsPerCaller,
    maxWaiting: MAX_WAITING,
    refusal: (reason) =>
      reason === 'queue'
        ? new ToolError('OVERLOADED', `${MAX_WAITING} lists and searches of this caller are already waiting`, {
            hint: 'try again when other calls have finished',
          })
        : new ToolError('OVERLOADED', 'no thread became free within the time limit of the list or search', {
            hint: 'try again when other calls have finished; the operator can raise the limit with --max-search-time',
          }),
  });
}
