import path from 'node:path';

import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { OpenDirectory } from '@org/mcp-roots';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';

import { NameBudget } from '../budget.ts';
import { ENTRY_TYPES, type EntryType } from '../entry-type.ts';
import type { Files } from '../files.ts';
import { isoTime } from '../text/iso.ts';
import { matcherOf } from '../walk/globs.ts';
import { inThread } from '../walk/in-thread.ts';
import { SORT_KEYS, type FoundName, type NamesQuery, type SortKey } from '../walk/job.ts';
import { openPosition, sealPosition, type Position } from './page.ts';
import { MAX_PATTERN, ScopeInput, scopeOf, usable } from './scope.ts';

export class SearchFilesInput extends ScopeInput {
  @Field('Glob on the path below the directory, such as **/*.ts; a bare word is found anywhere in a name')
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_PATTERN)
  pattern!: string;

  @IsOptional()
  @IsIn([...ENTRY_TYPES])
  type?: EntryType;

  @Field('Bytes; only files are found then')
  @IsOptional()
  @IsInt()
  @Min(0)
  minSize?: number;

  @Field('Bytes; only files are found then')
  @IsOptional()
  @IsInt()
  @Min(0)
  maxSize?: number;

  @Field('ISO 8601')
  @IsOptional()
  @IsString()
  modifiedAfter?: string;

  @Field('Largest, latest or directories first; default: as they are met, the nearest first')
  @IsOptional()
  @IsIn([...SORT_KEYS])
  sortBy?: SortKey;

  @Field('Most matches')
  @IsOptional()
  @IsInt()
  @Min(1)
  limit?: number;
}

export class FileMatch {
  @IsString()
  path!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;

  @Field('Bytes, where the search was about them')
  @IsOptional()
  @IsInt()
  size?: number;

  @Field('ISO 8601, where the search was about it')
  @IsOptional()
  @IsString()
  mtime?: string;
}

/** What a search found. */
export class FileMatches {
  @Field('In the order that was asked for', { type: () => FileMatch })
  @ValidateNested({ each: true })
  matches!: FileMatch[];

  @Field('Entries looked at')
  @IsInt()
  scanned!: number;

  @Field('Directories that could not be read')
  @IsInt()
  unreadable!: number;

  @Field('The search ended at a limit')
  @IsBoolean()
  truncated!: boolean;

  @Field('Pass it as cursor to go on')
  @IsOptional()
  @IsString()
  nextCursor?: string;
}

/**
 * Finds files and directories by name, at most `maxMatches` among `maxScanned` entries; links are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, TIMEOUT, and those of `Roots.openDirectory`
 */
export async function searchFiles(files: Files, input: SearchFilesInput, context: RequestContext): Promise<FileMatches> {
  usable(() => matcherOf(input.pattern));
  const position = await openPosition(context, input);
  await using directory = await files.roots.openDirectory(input.path);
  const query = await queryOf(files, directory, input, position);
  const matches: FileMatch[] = [];
  const budget = new NameBudget();
  let last: string | undefined;
  let isCut = false;
  const take = (found: FoundName): void => {
    const match = matchOf(directory, found);
    isCut ||= !budget.take(match.path);
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
  };
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
