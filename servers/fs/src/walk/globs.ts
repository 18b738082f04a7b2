import { compileGlob, GlobError, type GlobMatcher } from '@org/mcp-roots/threads';

const GLOB_CHARACTERS = /[*?[\]{}/\\]/;

/** Compiles a glob on relative paths. A pattern without a glob character matches any part of a name at any depth. */
export function compileGlobOrWord(pattern: string): GlobMatcher {
  requireClosed(pattern);
  return compileGlob(GLOB_CHARACTERS.test(pattern) ? pattern : `**/*${pattern}*`);
}

/** Compiles globs into a matcher for relative paths that match at least one glob. A glob without `/` matches at any depth. */
export function compileExcluder(patterns: readonly string[]): GlobMatcher {
  patterns.forEach(requireClosed);
  const matchers = patterns.map((pattern) => compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`));
  return (relative, name) => matchers.some((matches) => matches(relative, name));
}

/**
 * Requires a `]` after the last `[`. A glob would treat an unclosed bracket as a literal character, which callers rarely intend.
 *
 * @throws GlobError
 */
function requireClosed(pattern: string): void {
  const unescaped = pattern.replaceAll(/\\./gs, '');
  if (unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']'))
    throw new GlobError(`${JSON.stringify(pattern.slice(0, 100))} has a [ without ]; write \\[ for the character itself`);
}
