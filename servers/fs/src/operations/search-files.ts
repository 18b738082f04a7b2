import path from 'node:path';

import { Flag, Integer, ListOf, OneOf, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';

import { ResultBudget } from '../budget.ts';
import { ENTRY_TYPES, type EntryType } from '../entry-type.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { matcherOf } from '../walk/globs.ts';
import { inThread } from '../walk/in-thread.ts';
import { SORT_KEYS, type FoundName, type NamesQuery, type SortKey } from '../walk/job.ts';
import { IsPattern } from './is-pattern.ts';
import { openPosition, sealPosition, type Position } from './page.ts';
import { ScopeInput, scopeOf, usable } from './scope.ts';

export class SearchFilesInput extends ScopeInput {
  @IsPattern() @Text('Glob such as **/*.ts; a bare word matches any part of a name') pattern!: string;
  @OneOf(ENTRY_TYPES, { optional: true }) type?: EntryType;
  @Integer('Bytes; only files', { optional: true, min: 0 }) minSize?: number;
  @Integer('Bytes; only files', { optional: true, min: 0 }) maxSize?: number;
  @Text('ISO 8601', { optional: true }) modifiedAfter?: string;
  @OneOf(SORT_KEYS, 'Default: nearest first; else as in list_directory', { optional: true }) sortBy?: SortKey;
  @Integer('Most matches', { optional: true, min: 1 }) limit?: number;
}

export class FileMatch {
  @Text() path!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer('Bytes, if asked about', { optional: true }) size?: number;
  @Text('ISO 8601, if asked about', { optional: true }) mtime?: string;
}

/** What a search found. */
export class FileMatches {
  @ListOf(() => FileMatch) matches!: FileMatch[];
  @Integer('Entries looked at') scanned!: number;
  @Integer() unreadable!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) nextCursor?: string;
  @Text({ optional: true }) hint?: string;
}

/**
 * Finds files and directories by name, at most `maxMatches` in `maxBytes` among `maxScanned` entries; links are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, OVERLOADED, and errors of `Roots.openDirectory`
 */
export async function searchFiles(files: Files, input: SearchFilesInput, context: RequestContext): Promise<FileMatches> {
  usable(() => matcherOf(input.pattern));
  const position = await openPosition(context, input);
  await using directory = await files.roots.openDirectory(input.path);
  const query = await queryOf(files, directory, input, position);
  const matches: FileMatch[] = [];
  const budget = new ResultBudget(files.limits.maxBytes);
  let last: string | undefined;
  let isCut = false;
  const take = (found: FoundName): void => {
    const match = matchOf(directory, found);
    isCut ||= !budget.take(match);
    if (isCut) return;
    matches.push(match);
    last = found.relative;
  };
  const summary = await inThread(files, directory, { kind: 'names', query, take }, context);
  const hasMore = last !== undefined && (isCut || summary.end === 'limit');
  const next = { skip: (position?.skip ?? 0) + matches.length, after: last };
  return {
    matches,
    scanned: summary.scanned,
    unreadable: summary.unreadable,
    truncated: isCut || summary.end !== 'complete',
    ...(hasMore && { nextCursor: await sealPosition(context, input, next) }),
    ...(matches.length === 0 && isOfOneLevel(input.pattern) && { hint: `**/${input.pattern} looks at all levels` }),
  };
}

/** Patterns of other programs are about names at any depth. */
function isOfOneLevel(pattern: string): boolean {
  return /[*?[{]/.test(pattern) && !pattern.includes('/') && !pattern.startsWith('**');
}

async function queryOf(
  files: Files,
  directory: OpenDirectory,
  input: SearchFilesInput,
  position: Position | undefined,
): Promise<NamesQuery> {
  const { pattern, type, minSize, maxSize, modifiedAfter, sortBy, limit = Infinity } = input;
  return {
    scope: await scopeOf(files, directory, input, { purpose: 'search' }),
    pattern,
    type,
    minSize,
    maxSize,
    modifiedAfterMs: modifiedAfter === undefined ? undefined : momentOf(modifiedAfter),
    sortBy,
    limit: Math.min(limit, files.limits.maxMatches),
    offset: position?.skip ?? 0,
    after: position?.after,
  };
}

function momentOf(text: string): number {
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) return moment;
  throw new ToolError('INVALID_ARGUMENTS', 'modifiedAfter is no date', {
    hint: 'write it as 2026-01-31 or 2026-01-31T12:00:00Z',
  });
}

function matchOf(directory: OpenDirectory, { relative, type, size, mtimeMs }: FoundName): FileMatch {
  return {
    path: path.join(directory.shown, relative),
    type,
    ...(size !== undefined && { size }),
    ...(mtimeMs !== undefined && { mtime: isoTime(mtimeMs) }),
  };
}
