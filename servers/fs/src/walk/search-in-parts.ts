import { callerBehind, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { inThread } from './in-thread.ts';
import type { ContentQuery, ContentSummary, MatchedFile, Resume } from './job.ts';
import { LONG_THREADS } from './thread-pool.ts';
import { isBefore } from './walk.ts';

/** What was found, and what is said at the end. */
export interface Outcome {
  readonly items: readonly MatchedFile[];
  readonly summary: ContentSummary;
}

/**
 * Searches the files of a directory in several threads, each of which has its share of them. What is found is in the order of the walk,
 * as if one had searched: nothing is told that lies behind what one of them has not come to.
 *
 * @throws ToolError TIMEOUT, OVERLOADED, and file system errors for the directory itself
 */
export async function searchInParts(
  files: Files,
  directory: OpenDirectory,
  query: ContentQuery,
  context: RequestContext,
): Promise<Outcome> {
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const caller = callerBehind(context.signal);
  const progress = new SharedProgress(context);
  const parts = Array.from({ length: LONG_THREADS }, async (_, index) => {
    const items: MatchedFile[] = [];
    const part = { index, of: LONG_THREADS };
    const order = {
      kind: 'content',
      query: { ...query, scope: { ...query.scope, part } },
      take: (item: MatchedFile) => items.push(item),
    } as const;
    try {
      const report = (value: number): void => progress.report(index, value);
      return { items, summary: await inThread(files, directory, order, { signal, caller, progress: report }) };
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  // All of them use the directory, which is closed once this returns.
  await Promise.allSettled(parts);
  return joined(await Promise.all(parts), query);
}

function joined(outcomes: readonly Outcome[], query: ContentQuery): Outcome {
  const summaries = outcomes.map(({ summary }) => summary);
  // One that had no time to begin may have missed what comes first.
  if (summaries.some(({ end, resume }) => end === 'time' && resume === undefined))
    return { items: [], summary: sumOf(summaries) };
  const stops = summaries.flatMap(({ resume }) => resume ?? []);
  const first = stops.toSorted((one, other) => (isBefore(one.path, other.path) ? -1 : 1))[0];
  const known = outcomes
    .flatMap(({ items }) => items)
    .filter(({ relative }) => first === undefined || !isBefore(first.path, relative))
    .toSorted((one, other) => (isBefore(one.relative, other.relative) ? -1 : 1));
  const { items, resume } = limited(known, query);
  return { items, summary: { ...sumOf(summaries), ...(resume && { end: 'limit' }), resume: resume ?? first } };
}

/** As many of them as are wanted, and where to go on if that is not all. */
function limited(
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

/** Each part walks all of it, and reads its share. */
function sumOf(summaries: readonly ContentSummary[]): ContentSummary {
  const sum = (key: 'files' | 'bytes' | 'binary' | 'tooLarge' | 'unreadable'): number =>
    summaries.reduce((total, summary) => total + summary[key], 0);
  const ends = new Set(summaries.map(({ end }) => end));
  const end = (['time', 'scanned', 'limit'] as const).find((one) => ends.has(one)) ?? 'complete';
  return {
    end,
    scanned: Math.max(...summaries.map(({ scanned }) => scanned)),
    unreadable: sum('unreadable'),
    files: sum('files'),
    bytes: sum('bytes'),
    binary: sum('binary'),
    tooLarge: sum('tooLarge'),
    resume: undefined,
  };
}

/** Of several threads. */
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
