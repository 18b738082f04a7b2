import type { BigIntStats } from 'node:fs';

import { ToolError } from '@org/mcp-decorators';
import { quotePath, type PathEntry } from '@org/mcp-roots';

import { computeEtag } from './etag.ts';

/** The path that a change concerns. `facts` describe its file at the time of the check; `undefined` for a missing file. */
export type Target = Pick<PathEntry, 'directory' | 'name' | 'shown' | 'facts'>;

/** @throws ToolError CONFLICT if `ifMatch` is set and differs from the etag of the file */
export function requireEtag(given: string, facts: BigIntStats | undefined, ifMatch: string | undefined): void {
  const actual = facts && computeEtag(facts);
  if (ifMatch !== undefined && ifMatch !== actual) throw conflict(given, ifMatch, actual);
}

/** @throws ToolError CONFLICT if the file changed since the check */
export async function requireUnchanged({ directory, name, shown, facts }: Target): Promise<void> {
  const now = await directory.facts(name);
  if (!isUnchanged(facts, now)) throw conflict(shown, facts && computeEtag(facts), now && computeEtag(now));
}

export function isUnchanged(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.mtimeNs === other.mtimeNs;
}

/**
 * Creates the error for a file that changed after it was read.
 *
 * @param expected etag of the expected file; `undefined` if no file was expected
 * @param actual etag of the existing file; `undefined` if the file is missing
 */
export function conflict(shown: string, expected: string | undefined, actual: string | undefined): ToolError {
  const what =
    expected === undefined
      ? 'was created while the call ran'
      : actual === undefined
        ? 'no longer exists'
        : 'was changed after it was read';
  return new ToolError('CONFLICT', `${quotePath(shown)} ${what}`, {
    hint: 'read the file again, and apply the change to its current content',
    data: { expected: expected ?? null, actual: actual ?? null },
  });
}
