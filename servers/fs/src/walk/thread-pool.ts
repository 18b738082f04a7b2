import { availableParallelism } from 'node:os';

import { callerBehind, FairSlots, ToolError, type Caller } from '@org/mcp-decorators';

import type { JobKind, Jobs } from './job.ts';
import { WalkingThread, type Task } from './walking-thread.ts';

/** Work that may take as long as it is given time. */
const LONG: ReadonlySet<JobKind> = new Set(['content', 'replacements', 'closest']);
/** More threads than this only wait for one another's disk. */
const MOST = 4;
/** Maximum number of threads of one caller for such work. The main thread needs little CPU time to answer requests. */
export const LONG_THREADS: number = Math.min(MOST, availableParallelism());
/** One is left for all other work, so that a long search keeps no listing waiting. */
const THREADS = LONG_THREADS + 1;
/** A caller that uses all its threads leaves as many for others, because a regular expression cannot be preempted. */
const CALLERS = 2;
/** Maximum number of waiting tasks of one caller. A search adds one task for each of its threads. */
const MAX_WAITING = 256;

/**
 * Pool of worker threads that walk and search, shared fairly between callers. Threads start on demand. The pool keeps as many idle
 * threads as one caller may use.
 *
 * The time that a task waits for a thread counts towards its time limit.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #idle: WalkingThread[] = [];
  readonly #busy = new Set<WalkingThread>();
  readonly #long = slotsOf(LONG_THREADS);
  readonly #all = slotsOf(THREADS);

  /**
   * Runs a task in a thread as soon as the caller may use one.
   *
   * @throws the signal's reason; ToolError TIMEOUT, OVERLOADED; an error with a file system code
   */
  async run<Kind extends JobKind>(task: Task<Kind>, caller: Caller = callerBehind(task.signal)): Promise<Jobs[Kind]['summary']> {
    const deadline = performance.now() + task.budgetMs;
    const left = (): number => Math.max(0, deadline - performance.now());
    const inSlotOf = <Outcome>(slots: FairSlots, work: () => Promise<Outcome>): Promise<Outcome> =>
      slots.run(work, caller, { signal: task.signal, withinMs: left() });
    const inThread = (): Promise<Jobs[Kind]['summary']> =>
      inSlotOf(this.#all, () => this.#runIn(this.#thread(), { ...task, budgetMs: left() }));
    return LONG.has(task.kind) ? inSlotOf(this.#long, inThread) : inThread();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.end()));
  }

  #thread(): WalkingThread {
    const idle = this.#idle.pop();
    return idle === undefined || idle.isGone ? new WalkingThread() : idle;
  }

  async #runIn<Kind extends JobKind>(thread: WalkingThread, task: Task<Kind>): Promise<Jobs[Kind]['summary']> {
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

function slotsOf(slotsPerCaller: number): FairSlots {
  return new FairSlots({
    slots: CALLERS * slotsPerCaller,
    slotsPerCaller,
    maxWaiting: MAX_WAITING,
    refusal: (reason) =>
      reason === 'queue'
        ? new ToolError('OVERLOADED', `${MAX_WAITING} lists and searches of this caller are waiting already`, {
            hint: 'try again when other calls are done',
          })
        : new ToolError('OVERLOADED', 'no thread came free in the time that the list or search may take', {
            hint: 'try again when other calls are done; the operator sets that time with --max-search-ms',
          }),
  });
}
