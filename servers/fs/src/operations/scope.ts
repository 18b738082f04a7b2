import { Field, ToolError } from '@org/mcp-decorators';
import { GlobError, type OpenDirectory } from '@org/mcp-roots';
import { ArrayMaxSize, IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import type { Files } from '../files.ts';
import { excluderOf } from '../walk/globs.ts';
import { ignoredAbove } from '../walk/ignored-above.ts';
import type { WalkScope } from '../walk/job.ts';
import { PagedInput } from './page.ts';

/** Longer globs are bombs, not patterns. */
export const MAX_PATTERN = 1000;
/** More globs than this are not read. */
export const MAX_PATTERNS = 100;

/** What a tree or a search leaves out. */
export class ScopeInput extends PagedInput {
  @Field('Globs of what to leave out, such as node_modules')
  @IsOptional()
  @IsString({ each: true })
  @MaxLength(MAX_PATTERN, { each: true })
  @ArrayMaxSize(MAX_PATTERNS)
  excludePatterns?: string[];

  @Field('Leave out what .gitignore files do')
  @IsOptional()
  @IsBoolean()
  gitignore?: boolean;

  @Field('Names that begin with a dot, too')
  @IsOptional()
  @IsBoolean()
  hidden?: boolean;
}

/** Where rules count that nobody asked for. */
export type Purpose = 'search' | 'list';

/** The scope that an input asks for; what it does not say is as the operator wants it. */
export async function scopeOf(
  files: Files,
  directory: OpenDirectory,
  input: ScopeInput,
  { purpose, maxDepth = Infinity }: { readonly purpose: Purpose; readonly maxDepth?: number },
): Promise<WalkScope> {
  const gitignore = input.gitignore ?? respectsIgnored(files, purpose);
  const { excludePatterns = [], hidden = files.habits.hidden } = input;
  usable(() => excluderOf(excludePatterns));
  return {
    excludePatterns,
    hidden,
    gitignore,
    ignoredAbove: gitignore ? await ignoredAbove(files.roots, directory) : [],
    maxScanned: files.limits.maxScanned,
    maxDepth,
  };
}

export function respectsIgnored({ habits }: Files, purpose: Purpose): boolean {
  return habits.gitignore === 'all' || (habits.gitignore === 'search' && purpose === 'search');
}

/** @throws ToolError INVALID_ARGUMENTS for a glob or a regular expression that cannot be used */
export function usable<Value>(compile: () => Value): Value {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof GlobError || error instanceof SyntaxError)) throw error;
    throw new ToolError('INVALID_ARGUMENTS', `a pattern cannot be used: ${error.message}`, { cause: error });
  }
}
