import { ToolError } from '@org/mcp-decorators';
import { GlobError, type OpenDirectory } from '@org/mcp-roots';

import { compileExcluder } from '../../walk/globs.ts';
import type { WalkScope } from '../../walk/walk.ts';
import type { Files } from '../files.ts';
import { readIgnoreFilesAbove } from './ignore-files-above.ts';
import type { SearchedPath } from './open-searched-path.ts';

/** The kind of a call; `--gitignore` sets a default for each kind. */
export type Purpose = 'search' | 'tree' | 'list';

interface RequestedScope {
  readonly excludePatterns?: readonly string[] | undefined;
  readonly hidden?: boolean | undefined;
  readonly gitignore?: boolean | undefined;
}

/**
 * Combines the filters of a call with the operator's defaults.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid glob
 */
export async function createScope(
  files: Files,
  directory: OpenDirectory,
  { excludePatterns = [], hidden = files.defaultFilters.hidden, gitignore: requested }: RequestedScope,
  { purpose, maxDepth = Infinity }: { readonly purpose: Purpose; readonly maxDepth?: number },
): Promise<WalkScope> {
  const gitignore = requested ?? respectsIgnoreFiles(files, purpose);
  requireValidPattern(() => compileExcluder(excludePatterns));
  return {
    excludePatterns,
    hidden,
    gitignore,
    ignoredAbove: gitignore ? await readIgnoreFilesAbove(files.roots, directory) : [],
    maxScanned: files.limits.maxScanned,
    maxDepth,
  };
}

/** Filters of a search in the contents of files. */
interface ContentFilters {
  readonly scope: WalkScope;
  /** Globs of the searched files. */
  readonly include: readonly string[];
}

/**
 * Creates the filters of a search in the contents of files. A file that the call names is searched even if it is ignored, hidden
 * or excluded.
 *
 * @throws ToolError INVALID_ARGUMENTS for an invalid glob
 */
export async function createContentFilters(
  files: Files,
  { directory, only }: SearchedPath,
  { include = [], ...requested }: RequestedScope & { readonly include?: readonly string[] | undefined },
): Promise<ContentFilters> {
  requireValidPattern(() => compileExcluder(include));
  if (only === undefined) return { scope: await createScope(files, directory, requested, { purpose: 'search' }), include };
  const everything = { hidden: true, gitignore: false };
  return { scope: await createScope(files, directory, everything, { purpose: 'search', maxDepth: 1 }), include: [only] };
}

export function respectsIgnoreFiles({ defaultFilters: { gitignore } }: Files, purpose: Purpose): boolean {
  return gitignore === 'all' || (gitignore === 'search' && purpose !== 'list');
}

/** @throws ToolError INVALID_ARGUMENTS if compiling fails because of an invalid glob or regular expression */
export function requireValidPattern(compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    if (!(error instanceof GlobError || error instanceof SyntaxError)) throw error;
    throw new ToolError('INVALID_ARGUMENTS', `invalid pattern: ${error.message}`, { cause: error });
  }
}
