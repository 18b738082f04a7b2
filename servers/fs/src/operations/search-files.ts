import path from 'node:path';

import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { GlobError, type OpenDirectory } from '@org/mcp-roots';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';

import { NameBudget } from '../budget.ts';
import { ENTRY_TYPES, type EntryType } from '../entry-type.ts';
import type { Files, Limits } from '../files.ts';
import { excluderOf, matcherOf } from '../walk/globs.ts';
import { walk, type Walked } from '../walk/walk.ts';
import { PathInput } from './path-input.ts';

/** Longer globs are bombs, not patterns. */
const MAX_PATTERN = 1000;
const MAX_EXCLUDES = 100;

export class SearchFilesInput extends PathInput {
  @Field('Glob on the path below the directory, such as **/*.ts; a bare word is found anywhere in a name')
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_PATTERN)
  pattern!: string;

  @Field('Globs of what to leave out, such as node_modules')
  @IsOptional()
  @IsString({ each: true })
  @MaxLength(MAX_PATTERN, { each: true })
  @ArrayMaxSize(MAX_EXCLUDES)
  excludePatterns?: string[];
}

export class FileMatch {
  @IsString()
  path!: string;

  @IsIn([...ENTRY_TYPES])
  type!: EntryType;
}

/** What a search found, in the order of the walk. */
export class FileMatches {
  @Field('Breadth first', { type: () => FileMatch })
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
}

/**
 * Finds files and directories by name, at most `maxMatches` among `maxScanned` entries; links are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, and those of `Roots.openDirectory`
 */
export async function searchFiles(files: Files, input: SearchFilesInput, context: RequestContext): Promise<FileMatches> {
  const globs = globsOf(input);
  await using directory = await files.roots.openDirectory(input.path);
  const found: FileMatches = { matches: [], scanned: 0, unreadable: 0, truncated: false };
  const walked = walk(directory, {
    signal: context.signal,
    excludes: globs.excludes,
    onUnreadable: () => (found.unreadable += 1),
  });
  found.truncated = await collect(walked, found, { directory, matches: globs.matches, limits: files.limits, context });
  return found;
}

interface Search {
  readonly directory: OpenDirectory;
  readonly matches: (relative: string) => boolean;
  readonly limits: Limits;
  readonly context: RequestContext;
}

/** Adds what matches, and counts; resolves to whether a limit ended the search. */
async function collect(
  walked: AsyncIterable<Walked>,
  found: { readonly matches: FileMatch[]; scanned: number },
  { directory, matches, limits, context }: Search,
): Promise<boolean> {
  const budget = new NameBudget();
  for await (const { type, relative } of walked) {
    if (found.scanned === limits.maxScanned) return true;
    found.scanned += 1;
    context.progress(found.scanned);
    if (!matches(relative)) continue;
    const shown = path.join(directory.shown, ...relative.split('/'));
    if (found.matches.length === limits.maxMatches || !budget.take(shown)) return true;
    found.matches.push({ path: shown, type });
  }
  return false;
}

function globsOf({ pattern, excludePatterns = [] }: SearchFilesInput): {
  readonly matches: (relative: string) => boolean;
  readonly excludes: (relative: string) => boolean;
} {
  try {
    return { matches: matcherOf(pattern), excludes: excluderOf(excludePatterns) };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new ToolError('INVALID_ARGUMENTS', `a pattern cannot be used: ${error.message}`, { cause: error });
  }
}
