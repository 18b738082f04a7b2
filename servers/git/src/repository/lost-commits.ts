import type { Head } from './head.ts';
import { bodyOf } from './parse/fields.ts';
import type { Repository } from './repository.ts';

/** More commits are not named one by one. */
const MAX_NAMED = 100;

/**
 * Commits that no branch or tag would hold any more if a branch were moved, as a line each, newest first.
 *
 * @param to where it would be moved to; absent if it would be deleted
 */
export async function lostCommits(repository: Repository, { branch, oid }: Head, to?: string): Promise<readonly string[]> {
  if (oid === undefined || oid === to) return [];
  const others = [...(branch === undefined ? [] : [`--exclude=${branch}`]), '--branches', '--remotes', '--tags'];
  const flags = [`--max-count=${MAX_NAMED + 1}`, '--no-commit-header', '--format=commit %h %s'];
  const command = ['rev-list', ...flags, oid, '--not', ...(to === undefined ? [] : [to]), ...others];
  const lines = bodyOf((await repository.read(command)).stdout)
    .split('\n')
    .slice(0, -1);
  return lines.length > MAX_NAMED ? [...lines.slice(0, MAX_NAMED), 'and earlier commits'] : lines;
}
