import type { OpenDirectory } from '@org/mcp-roots';

import type { ListQuery, ListSummary } from '../walk/list-entries.ts';
import type { ListedBatch } from '../walk/listed-batch.ts';

/** Maximum number of entries that are listed in this thread; looking up their facts takes about 3 ms. */
const MAX_ENTRIES = 500;

/** The entries of a page, and the totals of the directory. */
export interface SmallListing {
  readonly batches: readonly ListedBatch[];
  readonly summary: ListSummary;
}

/**
 * Lists a directory on a local disk in this thread if at most 500 entries must be examined, because a job in another thread
 * takes longer. Otherwise, returns `undefined`. Also returns `undefined` for lists with globs or ignore rules, which may take
 * any time.
 */
export async function listSmallDirectory(
  directory: OpenDirectory,
  query: ListQuery,
  budgetMs: number,
): Promise<SmallListing | undefined> {
  const scope = await directory.workerScope();
  if (!scope.isLocal || query.matches !== undefined || query.ignored !== undefined) return undefined;
  // Loaded only when needed, so that the server starts faster.
  const [{ listEntries }, { JobControl }] = await Promise.all([
    import('../walk/list-entries.ts'),
    import('../walk/job-control.ts'),
  ]);
  const batches: ListedBatch[] = [];
  const control = new JobControl<ListedBatch>(new Int32Array(1), budgetMs, (found) => batches.push(...found));
  const maxScanned = Math.min(query.maxScanned, MAX_ENTRIES);
  const summary = listEntries(scope, { ...query, maxScanned }, control);
  control.flush();
  return summary.isComplete || maxScanned === query.maxScanned ? { batches, summary } : undefined;
}
