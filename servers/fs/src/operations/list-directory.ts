import { Flag, Integer, ListOf, OneOf, Text, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import { ResultBudget } from '../budget.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { matcherOf } from '../walk/globs.ts';
import { ignoredAbove } from '../walk/ignored-above.ts';
import { inThread } from '../walk/in-thread.ts';
import { SORT_KEYS, type Listed, type ListQuery, type ListSummary, type SortKey } from '../walk/job.ts';
import { Entry } from './entry.ts';
import { IsPattern } from './is-pattern.ts';
import { openPosition, PagedInput, sealPosition } from './page.ts';
import { respectsIgnored, usable } from './scope.ts';

/** More of them, with what is known of each, would not fit into a message. */
const MAX_ENTRIES = 50_000;

export class ListDirectoryInput extends PagedInput {
  @IsPattern() @Text('Glob on names', { optional: true }) pattern?: string;
  @OneOf(SORT_KEYS, 'Default: name; else largest, latest, directories first', { optional: true }) sortBy?: SortKey;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
  @Integer('Most entries', { optional: true, min: 1 }) limit?: number;
}

/** What a directory holds. */
export class DirectoryListing {
  @Text() path!: string;
  @ListOf(() => Entry) entries!: Entry[];
  @Integer('Of all pages') total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
}

/** A listing, with what all that is in the directory comes to. */
export interface Listing {
  readonly listing: DirectoryListing;
  readonly totals: Pick<ListSummary, 'files' | 'directories' | 'bytes' | 'isComplete'>;
  /** Entries that were listed before. */
  readonly before: number;
}

/**
 * Lists a page of a directory, at most `maxEntries` and `maxBytes` of it.
 *
 * @param totals whether the sizes of all that is there are added up
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function listDirectory(
  files: Files,
  input: ListDirectoryInput,
  context: RequestContext,
  totals = false,
): Promise<Listing> {
  const before = (await openPosition(context, input))?.skip ?? 0;
  await using directory = await files.roots.openDirectory(input.path);
  const query = await queryOf(files, directory, input, before);
  const entries: Entry[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  const take = (item: Listed): void => {
    const entry = entryOf(item);
    if (budget.take(entry)) entries.push(entry);
  };
  const summary = await inThread(files, directory, { kind: 'list', query: { ...query, totals }, take }, context);
  const known = before + entries.length;
  const hasMore = known < summary.total && entries.length > 0;
  const listing = {
    path: directory.shown,
    entries,
    total: summary.total,
    truncated: hasMore || !summary.isComplete,
    ...(hasMore && { nextCursor: await sealPosition(context, input, { skip: known }) }),
  };
  return { listing, totals: summary, before };
}

async function queryOf(
  files: Files,
  directory: OpenDirectory,
  { pattern, sortBy = 'name', hidden = files.habits.hidden, limit = Infinity }: ListDirectoryInput,
  offset: number,
): Promise<Omit<ListQuery, 'totals'>> {
  if (pattern !== undefined) usable(() => matcherOf(pattern));
  return {
    matches: pattern,
    hidden,
    ignored: respectsIgnored(files, 'list') ? await ignoredAbove(files.roots, directory) : undefined,
    sortBy,
    offset,
    limit: Math.min(limit, files.limits.maxEntries, MAX_ENTRIES),
    maxScanned: files.limits.maxScanned,
  };
}

function entryOf({ name, type, size, mtimeMs, target }: Listed): Entry {
  const entry: Entry = { name, type };
  if (size !== undefined) entry.size = size;
  if (mtimeMs !== undefined) entry.mtime = isoTime(mtimeMs);
  if (target !== undefined) entry.target = target;
  return entry;
}
