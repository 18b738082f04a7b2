import picomatch from 'picomatch';

const GLOB_CHARACTERS = /[*?[\]{}()!+@/]/;

/** Whether a relative path is meant. A pattern without any glob character is found anywhere in a name. */
export function matcherOf(pattern: string): (relative: string) => boolean {
  if (GLOB_CHARACTERS.test(pattern)) return picomatch(pattern, { dot: true });
  const wanted = pattern.toLowerCase();
  return (relative) => relative.slice(relative.lastIndexOf('/') + 1).toLowerCase().includes(wanted);
}

/** Whether a relative path is left out by any of the patterns; a bare name leaves out what is called so, at any depth. */
export function excluderOf(patterns: readonly string[]): (relative: string) => boolean {
  const matchers = patterns.map((pattern) => picomatch(pattern.includes('/') ? pattern : `**/${pattern}`, { dot: true }));
  return (relative) => matchers.some((matches) => matches(relative));
}
