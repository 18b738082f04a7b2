import { Result } from '@org/mcp-decorators';

import type { Entry } from './operations/entry.ts';
import type { DirectoryListing } from './operations/list-directory.ts';
import type { FileMatches } from './operations/search-files.ts';
import { visibleName } from './text/escape.ts';

export function listingResult(listing: DirectoryListing): Result {
  const lines = listing.entries.map((entry) => `${LABELS[entry.type]} ${visibleName(entry.name)}`);
  if (listing.truncated) lines.push(`… ${listing.total - listing.entries.length} more of ${listing.total} entries are not shown`);
  return Result.of(listing, lines.length === 0 ? 'The directory is empty' : lines.join('\n'));
}

export function matchesResult(found: FileMatches): Result {
  const lines = found.matches.map(({ path }) => visibleName(path));
  if (found.truncated)
    lines.push(`… the search ended at a limit after ${found.scanned} entries; narrow the pattern or the directory`);
  else if (lines.length === 0) lines.push('No matches found');
  if (found.unreadable > 0) lines.push(`… ${found.unreadable} directories could not be read`);
  return Result.of(found, lines.join('\n'));
}

const LABELS: Readonly<Record<Entry['type'], string>> = {
  file: '[FILE]',
  directory: '[DIR]',
  symlink: '[LINK]',
  other: '[OTHER]',
};
