import { availableParallelism } from 'node:os';

import type { JobKind, Jobs } from './job.ts';
import { WalkingThread, type Task } from './walking-thread.ts';

/** Work that may take as long as it is given time. */
const LONG: ReadonlySet<JobKind> = new Set(['content', 'replacements', 'closest']);
/** More threads than this only wait for one another's disk. */
const MOST = 4;
/** Threads for such work. What answers requests needs little of a processor, and gets it first. */
export const LONG_THREADS: number = Math.min(MOST, availableParallelism());
/** One is left for all other work, so that a long search keeps no listing waiting. */
const THREADS = LONG_THREADS + 1;

interface Waiting {
  readonly kind: JobKind;
  readonly begin: (thread: WalkingThread) => void;
}

/** Threads that walk and search. They are started when they are needed, and stay. */
export class ThreadPool implements AsyncDisposable {
  readonly #idle: WalkingThread[] = [];
  readonly #busy = new Map<WalkingThread, JobKind>();
  readonly #waiting = new Set<Waiting>();

  /**
   * Has a thread do something as soon as one is free.
   *
   * @throws the signal's reason; ToolError TIMEOUT; an error with the code of the file system's
   */
  async run<Kind extends JobKind>(task: Task<Kind>): Promise<Jobs[Kind]['summary']> {
    task.signal.throwIfAborted();
    const thread = this.#claim(task.kind) ?? (await this.#wait(task));
    try {
      return await thread.run(task);
    } finally {
      this.#release(thread);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#idle.splice(0), ...this.#busy.keys()].map((thread) => thread.end()));
  }

  #claim(kind: JobKind): WalkingThread | undefined {
    const long = [...this.#busy.values()].filter((busy) => LONG.has(busy)).length;
    if (this.#busy.size === THREADS || (LONG.has(kind) && long === LONG_THREADS)) return undefined;
    const idle = this.#idle.pop();
    const thread = idle === undefined || idle.isGone ? new WalkingThread() : idle;
    this.#busy.set(thread, kind);
    return thread;
  }

  #wait({ kind, signal }: Pick<Task<JobKind>, 'kind' | 'signal'>): Promise<WalkingThread> {
    return new Promise((resolve, reject) => {
      const begin = (thread: WalkingThread): void => {
        signal.removeEventListener('abort', abort);
        resolve(thread);
      };
      const waiting = { kind, begin };
      const abort = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #release(thread: WalkingThread): void {
    this.#busy.delete(thread);
    if (!thread.isGone) this.#idle.push(thread);
    for (const waiting of this.#waiting) {
      const next = this.#claim(waiting.kind);
      if (next === undefined) continue;
      this.#waiting.delete(waiting);
      waiting.begin(next);
    }
  }
}
