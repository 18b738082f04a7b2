import { Integer, Result, type RequestContext } from '@org/mcp-decorators';

import type { ArchiveEntry } from '../../archives/archive-entry.ts';
import { readArchive } from '../../archives/read-archive.ts';
import { visibleName } from '../../text/format.ts';
import { CountField } from '../fields.ts';
import type { Files } from '../files.ts';
import { formatCount, sum } from '../notes.ts';
import { PathInput } from '../path-input.ts';
import { ResultBudget } from '../result-budget.ts';

const MAX_LIMIT = 2000;
const DEFAULT_LIMIT = 200;

export class ListArchiveInput extends PathInput {
  @CountField('Entries to skip', 0) offset?: number;
  @Integer('Default: 200', { optional: true, min: 1, max: MAX_LIMIT }) limit?: number;
}

type ListedEntry = Pick<ArchiveEntry, 'name' | 'type' | 'bytes'>;

/** A page of the entries of an archive. */
export interface ArchiveListing {
  readonly entries: readonly ListedEntry[];
  /** Number of all entries. */
  readonly total: number;
  /** Number of bytes of the contents of all entries. */
  readonly bytes: number;
  readonly nextOffset?: number;
}

/**
 * Lists the entries of a ZIP or tar archive, also those that cannot be extracted.
 *
 * @throws ToolError INVALID_ARCHIVE, TOO_LARGE, and the codes of `Roots.openFile`
 */
export async function listArchive(
  files: Files,
  { path, offset = 0, limit = DEFAULT_LIMIT }: ListArchiveInput,
  { signal }: RequestContext,
): Promise<ArchiveListing> {
  await using file = await files.roots.openFile(path);
  const all: ListedEntry[] = [];
  for await (const { name, type, bytes } of readArchive(file, path, files.limits, signal)) all.push({ name, type, bytes });
  const budget = new ResultBudget(files.limits.maxBytes);
  const entries = all.slice(offset, offset + limit).filter((entry) => budget.take(entry));
  const nextOffset = offset + entries.length;
  return {
    entries,
    total: all.length,
    bytes: sum(all.map(({ bytes }) => bytes)),
    ...(nextOffset < all.length && { nextOffset }),
  };
}

export function archiveListingResult(listing: ArchiveListing): Result {
  const { entries, total, bytes, nextOffset } = listing;
  const lines = entries.map(
    ({ name, type, bytes: size }) => `[${type.toUpperCase()}] ${visibleName(name)}${type === 'file' ? ` ${size}` : ''}`,
  );
  const rest = nextOffset === undefined ? '' : `; continue with offset ${nextOffset}`;
  return Result.of(listing, [...lines, `[${formatCount(total, 'entry', 'entries')}, ${bytes} bytes${rest}.]`].join('\n'));
}
