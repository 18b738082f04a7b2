import { getCaller, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { ListQuery, ListSummary } from '../walk/list-entries.ts';
import type { ListedBatch } from '../walk/listed-batch.ts';
import { BatchQueue } from './batch-queue.ts';
import { runJob, type JobFiles } from './run-job.ts';
import { LONG_THREADS } from './thread-pool.ts';

/** Number of batches per thread; starting a thread takes as long as a few batches. */
const BATCHES = 4;

/** A list, and the consumer of its entries. */
export interface ListJob {
  readonly query: ListQuery;
  readonly take: (batch: ListedBatch) => void;
}

/**
 * Lists a directory in one thread, and looks up the facts of the entries of the page in several threads. Must not be used for an
 * order that requires facts.
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
  const queue = new BatchQueue<ListedBatch>();
  const named = { ...query, facts: false };
  const listed = await runJob(files, directory, { kind: 'list', query: named, take: (batch) => queue.push(batch) }, context);
  queue.close();
  const { signal } = context;
  const ordered = new OrderedBatches(take);
  let { bytes, isComplete } = listed;
  const lookUp = async (): Promise<void> => {
    // Each thread takes the next batch when it is ready, so that no batch waits for a thread that is just starting.
    for (let next = await queue.next(); next !== undefined; next = await queue.next()) {
      const { index, batch } = next;
      const limits = { maxSearchTime: Math.max(0, deadline - performance.now()) };
      const job = { kind: 'facts', query: batch, take: (known: ListedBatch): void => ordered.add(index, known) } as const;
      const call = { signal, caller: getCaller(signal), progress: () => undefined };
      const summary = await runJob({ threads: files.threads, limits }, directory, job, call);
      bytes += summary.bytes;
      isComplete &&= summary.isComplete;
      if (!isComplete) queue.clear();
    }
  };
  const lookups = Array.from({ length: Math.min(LONG_THREADS, Math.ceil(queue.size / BATCHES)) }, lookUp);
  // Waits for all jobs even if one fails: they use the directory, which the caller closes when this function returns.
  await Promise.allSettled(lookups);
  await Promise.all(lookups);
  return { ...listed, bytes, isComplete };
}

/** Passes batches on in their order. Each batch is passed on as soon as all batches before it have arrived. */
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
