import type { LogPosition } from './log-cursor.ts';
import type { Repository } from './repository.ts';
import { commonAncestors, rangeOf, resolveCommit } from './revision.ts';

/**
 * Where a walk begins that is of one revision, of what `B` has and `A` has not (`A..B`), or of what only one of both has (`A...B`).
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function logStart(repository: Repository, revision: string): Promise<LogPosition> {
  const range = rangeOf(revision);
  if (range === undefined) return { from: [await resolveCommit(repository, revision)], not: [], skip: 0 };
  const [from, to] = await Promise.all([resolveCommit(repository, range.from), resolveCommit(repository, range.to)]);
  if (!range.parted) return { from: [to], not: [from], skip: 0 };
  return { from: [from, to], not: await commonAncestors(repository, from, to), skip: 0 };
}

/** A position as arguments of git. */
export function walkFrom({ from, not, skip }: LogPosition): readonly string[] {
  return [`--skip=${skip}`, ...from, ...not.map((oid) => `^${oid}`)];
}
