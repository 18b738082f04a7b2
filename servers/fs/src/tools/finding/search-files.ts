import path from 'node:path';

import { Flag, Integer, ListOf, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import { ENTRY_TYPES, type EntryType } from '../../storage/entry-type.ts';
import { formatTime, visibleName } from '../../text/format.ts';
import { runJob } from '../../threads/run-job.ts';
import type { FoundName, NamesQuery } from '../../walk/find-names.ts';
import { compileGlobOrWord } from '../../walk/globs.ts';
import { SORT_KEYS, type SortKey } from '../../walk/order.ts';
import type { WalkSummary } from '../../walk/walk.ts';
import { CountField, CursorField, GlobsField, IsPattern } from '../fields.ts';
import type { Files } from '../files.ts';
import { cutNote, formatCount, ignoredHint, withNotes } from '../notes.ts';
import { PathInput } from '../path-input.ts';
import { ResultBudget } from '../result-budget.ts';
import { openPosition, sealPosition, type Position } from './page.ts';
import { createScope, requireValidPattern } from './scope.ts';

export class SearchFilesInput extends PathInput {
  @CursorField() cursor?: string;
  @Flag('false: also .git and ignored files', { optional: true }) gitignore?: boolean;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
  @GlobsField('Globs; a bare name at any depth') excludePatterns?: string[];
  @IsPattern() @Text('Glob such as **/*.ts; a bare word matches any part of a name') pattern!: string;
  @OneOf(ENTRY_TYPES, 'Default: any', { optional: true }) type?: EntryType;
  @CountField('Bytes; only files', 0) minSize?: number;
  @CountField('Bytes; only files', 0) maxSize?: number;
  @Text('ISO 8601', { optional: true }) modifiedAfter?: string;
  @OneOf(SORT_KEYS, 'Default: shallowest first', { optional: true }) sortBy?: SortKey;
  @CountField('Matches per page') limit?: number;
}

export class FileMatch {
  @Text() path!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer({ optional: true }) size?: number;
  @Text({ optional: true }) mtime?: string;
}

/** A page of the matches of a search by name. */
export class FileMatches {
  @ListOf(() => FileMatch) matches!: FileMatch[];
  @Integer() scanned!: number;
  @Integer() unreadable!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
  @Text({ optional: true }) hint?: string;
}

/**
 * Finds files and directories by name: at most `maxMatches` matches and `maxBytes` bytes among `maxScanned` entries. Links below
 * the directory are found, but not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function searchFiles(files: Files, input: SearchFilesInput, context: RequestContext): Promise<FileMatches> {
  requireValidPattern(() => compileGlobOrWord(input.pattern));
  const position = await openPosition(context, input);
  await using directory = await files.roots.openDirectory(input.path);
  const query = await createQuery(files, directory, input, position);
  const matches: FileMatch[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  let last: string | undefined;
  let isCut = false;
  const take = (found: FoundName): void => {
    const match = toMatch(directory, found);
    isCut ||= !budget.take(match);
    if (isCut) return;
    matches.push(match);
    last = found.relative;
  };
  const summary = await runJob(files, directory, { kind: 'names', query, take }, context);
  const hasMore = last !== undefined && (isCut || summary.end === 'limit');
  const next = { skip: (position?.skip ?? 0) + matches.length, after: last };
  return {
    matches,
    scanned: summary.scanned,
    unreadable: summary.unreadable,
    truncated: isCut || summary.end !== 'complete',
    ...(hasMore && { nextCursor: await sealPosition(context, input, next) }),
    ...(matches.length === 0 && createHint(input, summary)),
  };
}

function createHint({ pattern }: SearchFilesInput, summary: WalkSummary): { readonly hint?: string } {
  const hints = [...(isOneLevelGlob(pattern) ? [`**/${pattern} searches all levels`] : []), ...ignoredHint(summary)];
  return hints.length === 0 ? {} : { hint: hints.join('; ') };
}

/** Returns whether a glob matches only in the first level. In other programs, such a glob matches names at any depth. */
function isOneLevelGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern) && !pattern.includes('/') && !pattern.startsWith('**');
}

async function createQuery(
  files: Files,
  directory: OpenDirectory,
  input: SearchFilesInput,
  position: Position | undefined,
): Promise<NamesQuery> {
  const { pattern, type, minSize, maxSize, modifiedAfter, sortBy, limit = Infinity } = input;
  return {
    scope: await createScope(files, directory, input, { purpose: 'search' }),
    pattern,
    type,
    minSize,
    maxSize,
    modifiedAfterMs: modifiedAfter === undefined ? undefined : parseDate(modifiedAfter),
    sortBy,
    limit: Math.min(limit, files.limits.maxMatches),
    offset: position?.skip ?? 0,
    after: position?.after,
  };
}

function parseDate(text: string): number {
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw new ToolError('INVALID_ARGUMENTS', 'modifiedAfter is not a valid date', {
    hint: 'write it as 2026-01-31 or 2026-01-31T12:00:00Z',
  });
}

function toMatch(directory: OpenDirectory, { relative, type, size, mtimeMs }: FoundName): FileMatch {
  return {
    path: path.join(directory.shown, relative),
    type,
    ...(size !== undefined && { size }),
    ...(mtimeMs !== undefined && { mtime: formatTime(mtimeMs) }),
  };
}

export function fileMatchesResult(found: FileMatches): Result {
  const { matches, hint, truncated, unreadable } = found;
  const lines = matches.map((match) => visibleName(match.path));
  if (lines.length === 0 && !truncated) lines.push(`No matches found${hint === undefined ? '' : `; ${visibleName(hint)}`}`);
  const notes = truncated ? [cutNote(formatCount(matches.length, 'match', 'matches'), found.nextCursor)] : [];
  if (unreadable > 0) notes.push(`${formatCount(unreadable, 'directory', 'directories')} could not be read.`);
  return Result.of(found, withNotes(lines, notes));
}
