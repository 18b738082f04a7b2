import { Flag, Integer, ListOf, OneOf, Result, Text, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import { ENTRY_TYPES, type EntryType } from '../../storage/entry-type.ts';
import { formatSize, formatTime, visibleName } from '../../text/format.ts';
import { listSmallDirectory } from '../../threads/list-small-directory.ts';
import { listWithFacts, type ListJob } from '../../threads/list-with-facts.ts';
import { runJob, throwToolErrors } from '../../threads/run-job.ts';
import { compileGlobOrWord } from '../../walk/globs.ts';
import type { ListQuery, ListSummary } from '../../walk/list-entries.ts';
import { unpackListed, type Listed, type ListedBatch } from '../../walk/listed-batch.ts';
import { needsFacts, SORT_KEYS, type SortKey } from '../../walk/order.ts';
import { CountField, CursorField, IsPattern } from '../fields.ts';
import type { Files } from '../files.ts';
import { continueWith, withNotes } from '../notes.ts';
import { PathInput } from '../path-input.ts';
import { ResultBudget } from '../result-budget.ts';
import { readIgnoreFilesAbove } from './ignore-files-above.ts';
import { openPosition, sealPosition } from './page.ts';
import { requireValidPattern, respectsIgnoreFiles } from './scope.ts';

/** Maximum number of entries of a page; more entries, with their facts, do not fit into a message. */
const MAX_ENTRIES = 50_000;

export class ListDirectoryInput extends PathInput {
  @CursorField() cursor?: string;
  @IsPattern() @Text('Glob on names', { optional: true }) pattern?: string;
  @OneOf(SORT_KEYS, 'Default: name; else largest or latest first', { optional: true }) sortBy?: SortKey;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
  @CountField('Entries per page') limit?: number;
}

/** One entry of a directory; a symbolic link is shown, not followed. */
export class Entry {
  @Text() name!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer({ optional: true }) size?: number;
  @Text({ optional: true }) mtime?: string;
  @Text({ optional: true }) target?: string;
}

/** A page of the entries of a directory. */
export class DirectoryListing {
  @Text() path!: string;
  @ListOf(() => Entry) entries!: Entry[];
  @Integer('On all pages') total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
}

/** A page, and totals of the whole directory. */
export interface Listing {
  readonly listing: DirectoryListing;
  readonly totals: Pick<ListSummary, 'files' | 'directories' | 'bytes' | 'isComplete'>;
  /** Number of entries on earlier pages. */
  readonly before: number;
}

interface ListOptions {
  /**
   * Whether entries have sizes and times. Default: whether the client gets structured content; the text contains only names
   * and types.
   */
  readonly facts?: boolean;
  /** Whether to add up the sizes of all entries, which requires facts; entries then have no times. Default: false. */
  readonly totals?: boolean;
}

/**
 * Lists a page of a directory: at most `maxEntries` entries and `maxBytes` bytes.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function listDirectory(
  files: Files,
  input: ListDirectoryInput,
  context: RequestContext,
  { facts = context.structureWanted, totals = false }: ListOptions = {},
): Promise<Listing> {
  const before = (await openPosition(context, input))?.skip ?? 0;
  await using directory = await files.roots.openDirectory(input.path);
  const query = await createQuery(files, directory, input, before);
  const entries: Entry[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  const take = (batch: ListedBatch): void => {
    for (const item of unpackListed(batch)) {
      const entry = toEntry(item, !totals);
      if (budget.take(entry)) entries.push(entry);
    }
  };
  const summary = await runList(files, directory, { query: { ...query, facts, totals }, take }, context);
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

async function runList(
  files: Files,
  directory: OpenDirectory,
  { query, take }: ListJob,
  context: RequestContext,
): Promise<ListSummary> {
  context.signal.throwIfAborted();
  const small = await throwToolErrors(directory.shown, () => listSmallDirectory(directory, query, files.limits.maxSearchTime));
  if (small === undefined)
    return query.facts && !needsFacts(query.sortBy)
      ? listWithFacts(files, directory, { query, take }, context)
      : runJob(files, directory, { kind: 'list', query, take }, context);
  for (const batch of small.batches) take(batch);
  context.progress(small.summary.total);
  return small.summary;
}

async function createQuery(
  files: Files,
  directory: OpenDirectory,
  { pattern, sortBy = 'name', hidden = files.defaultFilters.hidden, limit = Infinity }: ListDirectoryInput,
  offset: number,
): Promise<Omit<ListQuery, 'facts' | 'totals'>> {
  if (pattern !== undefined) requireValidPattern(() => compileGlobOrWord(pattern));
  return {
    matches: pattern,
    hidden,
    ignored: respectsIgnoreFiles(files, 'list') ? await readIgnoreFilesAbove(files.roots, directory) : undefined,
    sortBy,
    offset,
    limit: Math.min(limit, files.limits.maxEntries, MAX_ENTRIES),
    maxScanned: files.limits.maxScanned,
  };
}

/** @param hasTime whether the entry has its time, whose text takes longer to create than all other facts */
function toEntry({ name, type, size, mtimeMs, target }: Listed, hasTime: boolean): Entry {
  const entry: Entry = { name, type };
  if (size !== undefined) entry.size = size;
  if (hasTime && mtimeMs !== undefined) entry.mtime = formatTime(mtimeMs);
  if (target !== undefined) entry.target = target;
  return entry;
}

export function directoryListingResult({ listing, before }: Listing): Result {
  return Result.of(listing, withNotes(formatEntries(listing), restNotes({ listing, before })));
}

/** Returns one line for each entry, or one line with a sentence for an empty directory. */
export function formatEntries({ entries, total }: DirectoryListing): readonly string[] {
  if (total === 0) return ['The directory is empty'];
  return entries.map((entry) => `${LABELS[entry.type]} ${visibleName(entry.name)}`);
}

/** Minimum widths, in characters, of the columns with names and sizes. */
const NAME = 30;
const SIZE = 10;

/** Creates a result of text only, because programs get the same facts as structured content from list_directory. */
export function directorySizesResult({ listing, totals, before }: Listing): Result {
  const lines = listing.entries.map(
    ({ name, type, size }) =>
      `${LABELS[type]} ${visibleName(name).padEnd(NAME)} ${size === undefined ? '' : formatSize(size).padStart(SIZE)}`,
  );
  const sums = [
    '',
    `Total: ${totals.files} files, ${totals.directories} directories`,
    `Combined size: ${formatSize(totals.bytes)}`,
  ];
  const { entries: _, ...facts } = listing;
  const [note] = restNotes({ listing, before });
  return Result.text([...lines, ...sums].join('\n'), { facts, note });
}

function restNotes({ listing, before }: Pick<Listing, 'listing' | 'before'>): readonly string[] {
  const { entries, total, truncated, nextCursor } = listing;
  if (!truncated) return [];
  const shown = before === 0 ? `${entries.length}` : `${entries.length} more`;
  if (nextCursor !== undefined) return [`${shown} of ${total} entries are shown; ${continueWith(nextCursor)}.`];
  return ['The list is incomplete: it ended at --max-scanned entries or at the time limit (--max-search-time).'];
}

const LABELS: Readonly<Record<EntryType, string>> = {
  file: '[FILE]',
  directory: '[DIR]',
  symlink: '[LINK]',
  other: '[OTHER]',
};
