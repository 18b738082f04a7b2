import { compileGlob, type GlobMatcher } from '@org/mcp-roots/threads';

const GLOB_CHARACTERS = /[*?[\]{}/\\]/;

/** Compiles a glob on relative paths. A pattern without a glob character matches any part of a name at any depth. */
export function compileGlobOrWord(pattern: string): GlobMatcher {
  return compileGlob(GLOB_CHARACTERS.test(pattern) ? pattern : `**/*${pattern}*`);
}

/** Compiles several globs on relative paths. A bare name matches at any depth. */
export function compileExcluder(patterns: readonly string[]): GlobMatcher {
  const matchers = patterns.map((pattern) => compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`));
  return (relative, name) => matchers.some((matches) => matches(relative, name));
}
