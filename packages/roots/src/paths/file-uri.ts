import { fileURLToPath } from 'node:url';

import { NAMING, WINDOWS, type Naming } from './naming.ts';

/**
 * A parser of URLs takes these for another path than the one that is written, without a word: it walks `..`, cuts off what follows
 * a `#` or `?` of a name that was not encoded, and drops line breaks.
 */
const REWRITTEN = /[?#\\\p{Cc}]|\/(?:\.|%2e){1,2}(?:\/|$)|^\s|\s$/iu;

/**
 * The absolute path of a `file:` URI, percent-decoded once; `undefined` for every other URI, one of another machine, one that
 * encodes a separator or a NUL character, and one that is not written as it is meant.
 */
export function pathOfUri(uri: string, naming: Naming = NAMING): string | undefined {
  if (!uri.startsWith('file://') || REWRITTEN.test(uri)) return undefined;
  try {
    const path = fileURLToPath(new URL(uri), { windows: naming === WINDOWS });
    return path.includes('\0') || isOfOtherMachine(path, naming) ? undefined : path;
  } catch {
    return undefined;
  }
}

function isOfOtherMachine(path: string, naming: Naming): boolean {
  return naming === WINDOWS && path.startsWith('\\\\');
}
