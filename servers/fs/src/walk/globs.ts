import { compileGlob } from '@org/mcp-roots';

const GLOB_CHARACTERS = /[*?[\]{}/\\]/;

/** Whether a relative path is meant; a pattern without any glob character stands for a part of a name, at any depth. */
export function matcherOf(pattern: string): (relative: string) => boolean {
  return compileGlob(GLOB_CHARACTERS.test(pattern) ? pattern : `**/*${pattern}*`);
}

/** Whether a relative path is left out by any of the patterns; a bare name leaves out what is called so, at any depth. */
export function excluderOf(patterns: readonly string[]): (relative: string) => boolean {
  const matchers = patterns.map((pattern) => compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`));
  return (relative) => matchers.some((matches) => matches(relative));
}
