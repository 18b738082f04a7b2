import { compileGlob, type GlobMatcher } from '@org/mcp-roots/threads';

const GLOB_CHARACTERS = /[*?[\]{}/\\]/;

/** Whether a relative path is meant; a pattern without any glob character stands for a part of a name, at any depth. */
export function matcherOf(pattern: string): GlobMatcher {
  return compileGlob(GLOB_CHARACTERS.test(pattern) ? pattern : `**/*${pattern}*`);
}

/** Whether a relative path is meant by any of the patterns; a bare name means what is called so, at any depth. */
export function excluderOf(patterns: readonly string[]): GlobMatcher {
  const matchers = patterns.map((pattern) => compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`));
  return (relative, name) => matchers.some((matches) => matches(relative, name));
}
