import type { BigIntStats } from 'node:fs';

import { ToolError } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import type { Target } from './write-atomically.ts';

/** @throws ToolError CONFLICT where a file is not what its caller takes it for */
export function requireEtag(given: string, facts: BigIntStats | undefined, ifMatch: string | undefined): void {
  const actual = facts && etagOf(facts);
  if (ifMatch !== undefined && ifMatch !== actual) throw conflict(given, ifMatch, actual);
}

/** @throws ToolError CONFLICT where a name stands for something else than when it was looked at */
export async function requireUnchanged({ directory, name, shown, facts }: Target): Promise<void> {
  const now = await directory.facts(name);
  if (!isUnchanged(facts, now)) throw conflict(shown, facts && etagOf(facts), now && etagOf(now));
}

export function isUnchanged(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.mtimeNs === other.mtimeNs;
}

/** @param expected an etag, as `actual`; `undefined` for nothing */
export function conflict(shown: string, expected: string | undefined, actual: string | undefined): ToolError {
  const what =
    expected === undefined ? 'was made meanwhile' : actual === undefined ? 'is not there any more' : 'was changed meanwhile';
  return new ToolError('CONFLICT', `${spelled(shown)} ${what}`, {
    hint: 'read it again, and make the change to what it holds now',
    data: { expected: expected ?? null, actual: actual ?? null },
  });
}
