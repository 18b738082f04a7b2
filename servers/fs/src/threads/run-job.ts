import type { Caller, RequestContext } from '@org/mcp-decorators';
import { toToolError, type OpenDirectory } from '@org/mcp-roots';

import { errorCode } from '../storage/error-code.ts';
import type { JobKind, Jobs } from './jobs.ts';
import type { ThreadPool } from './thread-pool.ts';

/** The part of `Files` that a job needs: the worker threads and the time limit. */
export interface JobFiles {
  readonly threads: ThreadPool;
  readonly limits: { readonly maxSearchTime: number };
}

/** A job, and the consumer of its items. */
interface Job<Kind extends JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly take: (item: Jobs[Kind]['item']) => void;
}

/** The call that runs a job. */
interface Call extends Pick<RequestContext, 'signal' | 'progress'> {
  /** The caller to whose share of threads the job belongs. Default: the caller of the tool call whose signal is `signal`. */
  readonly caller?: Caller | undefined;
}

/**
 * Runs a job on a directory in a worker thread and reports its progress.
 *
 * @returns the summary of the job
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function runJob<Kind extends JobKind>(
  { threads, limits }: JobFiles,
  directory: OpenDirectory,
  { kind, query, take }: Job<Kind>,
  context: Call,
): Promise<Jobs[Kind]['summary']> {
  const onFound = (items: readonly Jobs[Kind]['item'][], scanned: number): void => {
    for (const item of items) take(item);
    context.progress(scanned);
  };
  return throwToolErrors(directory.shown, async () => {
    const workerScope = await directory.workerScope();
    const { signal, caller } = context;
    return threads.run({ kind, query, workerScope, signal, budgetMs: limits.maxSearchTime, onFound }, caller);
  });
}

/** Runs the work. Converts an error of the file system to a `ToolError` that names `shown`, the path that clients see. */
export async function throwToolErrors<Value>(shown: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw errorCode(error) === undefined ? error : toToolError(shown, error);
  }
}
