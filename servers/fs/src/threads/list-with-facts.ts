import { getCaller, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { ListQuery, ListSummary } from '../walk/list-entries.ts';
import type { ListedBatch } from '../walk/listed-batch.ts';
import { runJob, type JobFiles } from './run-job.ts';
import { LONG_THREADS } from './thread-pool.ts';

/** A list, and the consumer of its entries. */
export interface ListJob {
  readonly query: ListQuery;
  readonly take: (batch: ListedBatch) => void;
}

/**
 * Lists a directory in one thread and looks up the facts of the entries of the page in several. Must not be used for an order that
 * requires facts.
 *
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function listWithFacts(
  files: JobFiles,
  directory: OpenDirectory,
  { query, take }: ListJob,
  context: RequestContext,
): Promise<ListSummary> {
  const deadline = performance.now() + files.limits.maxSearchTime;
  const batches: ListedBatch[] = [];
  const named = { ...query, facts: false };
  const listed = await runJob(files, directory, { kind: 'list', query: named, take: (batch) => batches.push(batch) }, context);
  const { signal } = context;
  const ordered = new OrderedBatches(take);
  const limits = { maxSearchTime: Math.max(0, deadline - performance.now()) };
  const threads = Math.min(LONG_THREADS, batches.length);
  const lookups = Array.from({ length: threads }, (_, first) => {
    let index = first;
    const job = {
      kind: 'facts',
      query: { batches: batches.filter((__, position) => position % threads === first) },
      take: (batch: ListedBatch): void => {
        ordered.add(index, batch);
        index += threads;
      },
    } as const;
    const call = { signal, caller: getCaller(signal), progress: () => undefined };
    return runJob({ threads: files.threads, limits }, directory, job, call);
  });
  // Waits for all jobs even if one fails: they use the directory, which the caller closes when this function returns.
  await Promise.allSettled(lookups);
  const summaries = await Promise.all(lookups);
  return {
    ...listed,
    bytes: summaries.reduce((sum, { bytes }) => sum + bytes, listed.bytes),
    isComplete: listed.isComplete && summaries.every(({ isComplete }) => isComplete),
  };
}

/** Passes batches on in their order, each as soon as those before it have arrived. */
class OrderedBatches {
  readonly #take: (batch: ListedBatch) => void;
  readonly #early = new Map<number, ListedBatch>();
  #next = 0;

  constructor(take: (batch: ListedBatch) => void) {
    this.#take = take;
  }

  add(index: number, batch: ListedBatch): void {
    this.#early.set(index, batch);
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#next += 1;
      this.#take(next);
    }
  }
}
