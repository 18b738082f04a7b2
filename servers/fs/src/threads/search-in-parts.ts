import { getCaller, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { ContentQuery, ContentSummary, MatchedFile, Resume } from '../search/search-content.ts';
import { isBefore } from '../walk/walk.ts';
import { runJob, type JobFiles } from './run-job.ts';
import { LONG_THREADS } from './thread-pool.ts';

/** The matches and the summary of a search. */
export interface SearchOutcome {
  readonly items: readonly MatchedFile[];
  readonly summary: ContentSummary;
}

/**
 * Searches the files of a directory in several threads, each with a part of the files. The matches are in the order of the walk, as if one
 * thread had searched: matches after the first unfinished part are omitted.
 *
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function searchInParts(
  files: JobFiles,
  directory: OpenDirectory,
  query: ContentQuery,
  context: RequestContext,
): Promise<SearchOutcome> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const caller = getCaller(context.signal);
  const progress = new SharedProgress(context);
  const parts = Array.from({ length: LONG_THREADS }, async (_, index) => {
    const items: MatchedFile[] = [];
    const part = { index, of: LONG_THREADS };
    const job = {
      kind: 'content',
      query: { ...query, scope: { ...query.scope, part } },
      take: (item: MatchedFile) => items.push(item),
    } as const;
    try {
      const report = (value: number): void => progress.report(index, value);
      return { items, summary: await runJob(files, directory, job, { signal, caller, progress: report }) };
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  // Waits for all parts even if one fails: the parts use the directory, which the caller closes when this function returns.
  await Promise.allSettled(parts);
  return mergeParts(await Promise.all(parts), query);
}

function mergeParts(outcomes: readonly SearchOutcome[], query: ContentQuery): SearchOutcome {
  const summaries = outcomes.map(({ summary }) => summary);
  // A part without time to begin may have missed the first matches, so no match is reported.
  if (summaries.some(({ end, resume }) => end === 'time' && resume === undefined))
    return { items: [], summary: addUp(summaries) };
  const stops = summaries.flatMap(({ resume }) => resume ?? []);
  const first = stops.toSorted((one, other) => (isBefore(one.path, other.path) ? -1 : 1))[0];
  const known = outcomes
    .flatMap(({ items }) => items)
    .filter(({ relative }) => first === undefined || !isBefore(first.path, relative))
    .toSorted((one, other) => (isBefore(one.relative, other.relative) ? -1 : 1));
  const { items, resume } = applyLimit(known, query);
  return { items, summary: { ...addUp(summaries), ...(resume && { end: 'limit' }), resume: resume ?? first } };
}

/** Returns the matches up to the limit, and the start of the next page if some are left. */
function applyLimit(
  files: readonly MatchedFile[],
  { mode, limit, resume: begin }: ContentQuery,
): { readonly items: readonly MatchedFile[]; readonly resume: Resume | undefined } {
  const items: MatchedFile[] = [];
  let left = limit;
  let resume: Resume | undefined;
  for (const file of files) {
    const size = mode === 'content' ? file.lines.length : 1;
    if (size > left && resume === undefined) {
      const known = begin?.path === file.relative ? begin.skip : 0;
      resume = { path: file.relative, skip: known + left };
      if (left > 0) items.push({ ...file, lines: file.lines.slice(0, left) });
    }
    left -= size;
    if (left < 0) break;
    items.push(file);
  }
  return { items, resume };
}

/** Adds up the summaries of parts. Every part walks all directories but reads only its own files. */
function addUp(summaries: readonly ContentSummary[]): ContentSummary {
  const sum = (key: 'files' | 'bytes' | 'binary' | 'tooLarge' | 'unreadable' | 'ignored'): number =>
    summaries.reduce((total, summary) => total + summary[key], 0);
  const ends = new Set(summaries.map(({ end }) => end));
  const end = (['time', 'scanned', 'limit'] as const).find((one) => ends.has(one)) ?? 'complete';
  return {
    end,
    scanned: Math.max(...summaries.map(({ scanned }) => scanned)),
    unreadable: sum('unreadable'),
    ignored: sum('ignored'),
    files: sum('files'),
    bytes: sum('bytes'),
    binary: sum('binary'),
    tooLarge: sum('tooLarge'),
    resume: undefined,
  };
}

/** Adds up the progress of several threads. */
class SharedProgress {
  readonly #context: RequestContext;
  readonly #parts: number[] = [];

  constructor(context: RequestContext) {
    this.#context = context;
  }

  report(part: number, value: number): void {
    this.#parts[part] = value;
    this.#context.progress(this.#parts.reduce((sum, one) => sum + one, 0));
  }
}
