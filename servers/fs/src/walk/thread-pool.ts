import { availableParallelism } from 'node:os';

import { callerBehind, FairSlots, ToolError, type Caller } from '@org/mcp-decorators';

import type { JobKind, Jobs } from './job.ts';
import { WalkingThread, type Task } from './walking-thread.ts';

/** Work that may take as long as it is given time. */
const LONG: ReadonlySet<JobKind> = new Set(['content', 'replacements', 'closest']);
/** More threads than this only wait for one another's disk. */
const MOST = 4;
/** Threads of one caller for such work. What answers requests needs little of a processor, and gets it first. */
export const LONG_THREADS: number = Math.min(MOST, availableParallelism());
/** One is left for all other work, so that a long search keeps no listing waiting. */
const THREADS = LONG_THREADS + 1;
/** A caller that uses all of its threads leaves as many to others: a regular expression cannot be interrupted in favor of them. */
const CALLERS = 2;
/** A search takes several of them, one for each of its threads. */
const MAX_WAITING = 256;

/**
 * Threads that walk and search, in equal shares for all callers. They are started when they are needed, and those of one caller stay.
 *
 * The time that a task waits for a thread counts as time that it takes.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #idle: WalkingThread[] = [];
  readonly #busy = new Set<WalkingThread>();
  readonly #long = slotsOf(LONG_THREADS);
  readonly #all = slotsOf(THREADS);

  /**
   * Has a thread do something as soon as the caller may have one.
   *
   * @throws the signal's reason; ToolError TIMEOUT, OVERLOADED; an error with the code of the file system's
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
