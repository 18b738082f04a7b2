import { compileGlob, GlobError, type GlobMatcher } from '@org/mcp-roots/threads';

const GLOB_CHARACTERS = /[*?[\]{}/\\]/;

/** Compiles a glob on relative paths. A pattern without a glob character matches any part of a name at any depth. */
export function compileGlobOrWord(pattern: string): GlobMatcher {
  requireClosed(pattern);
  return compileGlob(GLOB_CHARACTERS.test(pattern) ? pattern : `**/*${pattern}*`);
}

/** Compiles several globs on relative paths. A bare name matches at any depth. */
export function compileExcluder(patterns: readonly string[]): GlobMatcher {
  patterns.forEach(requireClosed);
  const matchers = patterns.map((pattern) => compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`));
  return (relative, name) => matchers.some((matches) => matches(relative, name));
}

/** A glob treats an unclosed bracket as a literal character, which is rarely what a caller means. @throws GlobError */
function requireClosed(pattern: string): void {
  const unescaped = pattern.replaceAll(/\\./gs, '');
  if (unescaped.lastIndexOf('[') > unescaped.lastIndexOf(']'))
    throw new GlobError(`${JSON.stringify(pattern.slice(0, 100))} has a [ without ]; write \\[ for the character itself`);
}
