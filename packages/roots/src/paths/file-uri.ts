import { fileURLToPath } from 'node:url';

import { NAMING, WINDOWS, type Naming } from './naming.ts';

/**
 * The absolute path of a `file:` URI, percent-decoded once; `undefined` for every other URI, one of another machine, and one that
 * encodes a separator or a NUL character.
 */
export function pathOfUri(uri: string, naming: Naming = NAMING): string | undefined {
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
