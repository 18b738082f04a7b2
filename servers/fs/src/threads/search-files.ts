import { getCaller, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { FileBatch, FilesQuery } from '../search/list-files.ts';
import { MergedBatches, type SearchOutcome } from '../search/merged-batches.ts';
import type { ContentQuery, ContentSummary, MatchedFile } from '../search/search-content.ts';
import type { WalkSummary } from '../walk/walk.ts';
import { BatchQueue } from './batch-queue.ts';
import { runJob, type JobFiles } from './run-job.ts';
import { LONG_THREADS } from './thread-pool.ts';

/** A search in the files below a directory. */
export type SearchQuery = Omit<ContentQuery, 'directories'> & Omit<FilesQuery, 'from'>;

/**
 * Searches the files of a directory. One thread lists the files, and the other threads search the listed files in batches. After
 * the list, all threads search.
 *
 * The matches are in the order of the walk, as if one thread had searched: matches after the first unfinished batch are omitted.
 *
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function searchFiles(
  files: JobFiles,
  directory: OpenDirectory,
  query: SearchQuery,
  context: RequestContext,
): Promise<SearchOutcome> {
  return new FilesSearch(files, directory, query, context).run();
}

class FilesSearch {
  readonly #files: JobFiles;
  readonly #directory: OpenDirectory;
  readonly #query: SearchQuery;
  readonly #context: RequestContext;
  readonly #queue = new BatchQueue<FileBatch>();
  readonly #merged: MergedBatches;
  readonly #progress: SharedProgress;
  readonly #deadline: number;
  /** Aborted when no further batch is needed. */
  readonly #stopped = new AbortController();

  constructor(files: JobFiles, directory: OpenDirectory, query: SearchQuery, context: RequestContext) {
    this.#files = files;
    this.#directory = directory;
    this.#query = query;
    this.#context = context;
    this.#merged = new MergedBatches(query);
    this.#progress = new SharedProgress(context);
    this.#deadline = performance.now() + files.limits.maxSearchTime;
  }

  async run(): Promise<SearchOutcome> {
    const list = this.#listFiles();
    const searches = Array.from({ length: LONG_THREADS }, () => this.#searchBatches());
    // Waits for all jobs even if one fails: they use the directory, which the caller closes when this function returns.
    await Promise.allSettled([list, ...searches]);
    await Promise.all(searches);
    const walked = await list;
    return this.#merged.toOutcome(this.#stopped.signal.aborted ? undefined : walked);
  }

  /** Returns `undefined` if the list was stopped. */
  async #listFiles(): Promise<WalkSummary | undefined> {
    const { scope, include, resume } = this.#query;
    const query = { scope, include, from: resume?.path };
    const stopped = this.#stopped.signal;
    const { signal } = this.#context;
    const call = { signal: AbortSignal.any([signal, stopped]), caller: getCaller(signal), progress: () => undefined };
    const take = (batch: FileBatch): void => this.#queue.push(batch);
    try {
      return await runJob(this.#files, this.#directory, { kind: 'files', query, take }, call);
    } catch (error) {
      if (stopped.aborted && !signal.aborted) return undefined;
      this.#stop();
      throw error;
    } finally {
      this.#queue.close();
    }
  }

  async #searchBatches(): Promise<void> {
    try {
      for (let next = await this.#queue.next(); next !== undefined; next = await this.#queue.next()) {
        const hasTime = await this.#searchBatch(next.index, next.batch);
        if (!hasTime || this.#merged.isFinal) this.#stop();
      }
    } catch (error) {
      this.#stop();
      throw error;
    }
  }

  #stop(): void {
    this.#queue.clear();
    this.#stopped.abort();
  }

  /** Returns whether there was time for the batch. */
  async #searchBatch(index: number, { directories, leftOut }: FileBatch): Promise<boolean> {
    const isFirst = index === 0;
    const left = this.#deadline - performance.now();
    if (left <= 0 && !isFirst) return false;
    const items: MatchedFile[] = [];
    try {
      const summary = await this.#runSearch(directories, left, {
        take: (item) => items.push(item),
        progress: (value) => this.#progress.report(index, value),
      });
      this.#merged.add(index, { items, summary, leftOut });
      return true;
    } catch (error) {
      // No thread became free in time. The result contains the earlier batches; without them, the search fails.
      if (ToolError.is(error) && error.code === 'OVERLOADED' && !isFirst) return false;
      throw error;
    }
  }

  async #runSearch(
    directories: FileBatch['directories'],
    maxSearchTime: number,
    { take, progress }: { readonly take: (item: MatchedFile) => void; readonly progress: (value: number) => void },
  ): Promise<ContentSummary> {
    const { scope: _scope, include: _include, ...query } = this.#query;
    const { signal } = this.#context;
    return runJob(
      { threads: this.#files.threads, limits: { maxSearchTime } },
      this.#directory,
      { kind: 'content', query: { ...query, directories }, take },
      { signal, caller: getCaller(signal), progress },
    );
  }
}

/** Adds up the progress of several jobs. */
class SharedProgress {
  readonly #context: RequestContext;
  readonly #values = new Map<number, number>();
  #sum = 0;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  report(job: number, value: number): void {
    this.#sum += value - (this.#values.get(job) ?? 0);
    this.#values.set(job, value);
    this.#context.progress(this.#sum);
  }
}
