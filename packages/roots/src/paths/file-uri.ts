import { fileURLToPath } from 'node:url';

import { createInvalidPathError, quotePath } from '../errors/path-errors.ts';
import { NAMING, WINDOWS, type Naming } from './naming.ts';

/**
 * Matches URIs that a URL parser silently changes: the parser resolves `..`, cuts off everything after an unencoded `#` or
 * `?`, and drops line breaks.
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

/**
 * Returns the path of a `file:` URI, and any other text as it is.
 *
 * @throws ToolError INVALID_PATH for a `file:` URI that {@link parseFileUri} rejects
 */
export function parsePath(given: string, naming: Naming = NAMING): string {
  if (!/^file:\/\//i.test(given)) return given;
  const named = parseFileUri(given, naming);
  if (named !== undefined) return named;
  throw createInvalidPathError(
    `${quotePath(given)} is not the URI of a local file without dot segments, query, fragment and encoded separators`,
  );
}

function isOnOtherMachine(path: string, naming: Naming): boolean {
  return naming === WINDOWS && path.startsWith('\\\\');
}
