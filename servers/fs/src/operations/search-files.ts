import path from 'node:path';

import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import type { VerifiedPath } from '@org/mcp-roots';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';

import type { Files } from '../files.ts';
import { excluderOf, matcherOf } from '../walk/globs.ts';
import { walk } from '../walk/walk.ts';
import { ENTRY_TYPES, entryType, type EntryType } from './entry.ts';
import { PathInput } from './path-input.ts';

/** Longer globs are bombs, not patterns. */
const MAX_PATTERN = 1000;

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

  @Field('The search ended at a limit')
  @IsBoolean()
  truncated!: boolean;
}

/**
 * Finds files and directories by name, at most `maxMatches` among `maxScanned` entries; links are not followed.
 *
 * @throws ToolError INVALID_ARGUMENTS, and those of `Files.directory`
 */
export async function searchFiles(files: Files, input: SearchFilesInput, context: RequestContext): Promise<FileMatches> {
  const directory = await files.directory(input.path);
  const { maxMatches, maxScanned } = files.limits;
  const matches = globOf(input.pattern);
  const found: FileMatch[] = [];
  let scanned = 0;
  for await (const { entry, relative } of walk(directory.real, {
    signal: context.signal,
    excludes: excluderOf(input.excludePatterns ?? []),
  })) {
    if (scanned === maxScanned) return { matches: found, scanned, truncated: true };
    scanned += 1;
    context.progress(scanned);
    if (!matches(relative)) continue;
    if (found.length === maxMatches) return { matches: found, scanned, truncated: true };
    found.push({ path: shownPath(directory, relative), type: entryType(entry) });
  }
  return { matches: found, scanned, truncated: false };
}

function globOf(pattern: string): (relative: string) => boolean {
  try {
    return matcherOf(pattern);
  } catch (error) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `the pattern cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function shownPath(directory: VerifiedPath, relative: string): string {
  return path.join(directory.shown, ...relative.split('/'));
}
