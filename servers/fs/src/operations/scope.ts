import { Field, Flag, ToolError } from '@org/mcp-decorators';
import { GlobError, type OpenDirectory } from '@org/mcp-roots';
import { IsOptional } from 'class-validator';

import type { Files } from '../files.ts';
import { excluderOf } from '../walk/globs.ts';
import { ignoredAbove } from '../walk/ignored-above.ts';
import type { WalkScope } from '../walk/job.ts';
import { IsPatterns } from './is-pattern.ts';
import { PagedInput } from './page.ts';

/** Which of the names below a directory count. */
export class WalkInput extends PagedInput {
  @Flag('false: also .git and what .gitignore excludes', { optional: true }) gitignore?: boolean;
  @Flag('false: skip dotfiles', { optional: true }) hidden?: boolean;
}

/** What a tree or a search of names leaves out. */
export class ScopeInput extends WalkInput {
  @Field('Globs to leave out; a bare name at any depth')
  @IsOptional()
  @IsPatterns()
  excludePatterns?: string[];
}

/** Where rules count that nobody asked for. */
export type Purpose = 'search' | 'tree' | 'list';

interface WantedScope {
  readonly excludePatterns?: readonly string[] | undefined;
  readonly hidden?: boolean | undefined;
  readonly gitignore?: boolean | undefined;
}

/** The scope that an input asks for; what it does not say is as the operator wants it. */
export async function scopeOf(
  files: Files,
  directory: OpenDirectory,
  { excludePatterns = [], hidden = files.habits.hidden, gitignore: wanted }: WantedScope,
  { purpose, maxDepth = Infinity }: { readonly purpose: Purpose; readonly maxDepth?: number },
): Promise<WalkScope> {
  const gitignore = wanted ?? respectsIgnored(files, purpose);
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
  return habits.gitignore === 'all' || (habits.gitignore === 'search' && purpose !== 'list');
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
