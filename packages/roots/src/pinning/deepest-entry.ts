import path from 'node:path';

import type { FileSystemCalls } from './file-system-calls.ts';

/** Returns the deepest part of a path that exists, which may be a dangling link. */
export async function findDeepestEntry(target: string, calls: FileSystemCalls): Promise<string> {
  // The search starts at the top, so that a path with a million missing levels needs only one failed lookup.
  let current = path.parse(target).root;
  for (const name of target.slice(current.length).split(path.sep)) {
    const next = path.join(current, name);
    if ((await attempt(calls.lstat, next)) === undefined) break;
    current = next;
  }
  return current;
}

/** Resolves to the result of a call for a path, or to `undefined` if the call fails. */
export async function attempt<Value>(
  call: (target: string) => Value | Promise<Value>,
  target: string,
): Promise<Value | undefined> {
  try {
    return await call(target);
  } catch {
    return undefined;
  }
}
