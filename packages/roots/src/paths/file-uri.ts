import { fileURLToPath } from 'node:url';

import { NAMING, WINDOWS, type Naming } from './naming.ts';

/**
 * URIs that a URL parser silently changes: it resolves `..`, cuts off everything after an unencoded `#` or `?`, and drops line
 * breaks.
 */
const REWRITTEN = /[?#\\\p{Cc}]|\/(?:\.|%2e){1,2}(?:\/|$)|^\s|\s$/iu;

/**
 * Returns the absolute path of a `file:` URI, percent-decoded once. Returns `undefined` for any other URI and for a URI of
 * another machine. Also returns `undefined` for an encoded separator or NUL character, and for a URI that a parser would
 * change.
 */
export function parseFileUri(uri: string, naming: Naming = NAMING): string | undefined {
  if (!uri.startsWith('file://') || REWRITTEN.test(uri)) return undefined;
  try {
    const path = fileURLToPath(new URL(uri), { windows: naming === WINDOWS });
    return path.includes('\0') || isOnOtherMachine(path, naming) ? undefined : path;
  } catch {
    return undefined;
  }
}

function isOnOtherMachine(path: string, naming: Naming): boolean {
  return naming === WINDOWS && path.startsWith('\\\\');
}
