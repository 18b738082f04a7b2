import { decodeBody } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import type { Head } from './head.ts';

/** Maximum number of commits that are listed individually. */
const MAX_NAMED = 100;

/**
 * Lists the commits that would become unreachable from all branches and tags if a branch or a detached HEAD were moved. Returns
 * one line per commit, newest first. After 100 commits, the last line is `and earlier commits`.
 *
 * @param to the new commit of the branch; `undefined` if the branch would be deleted
 */
export async function listLostCommits(repository: Repository, { branch, oid }: Head, to?: string): Promise<readonly string[]> {
  if (oid === undefined || oid === to) return [];
  const others = [...(branch === undefined ? [] : [`--exclude=${branch}`]), '--branches', '--remotes', '--tags'];
  const flags = [`--max-count=${MAX_NAMED + 1}`, '--no-commit-header', '--format=commit %h %s'];
  const command = ['rev-list', ...flags, oid, '--not', ...(to === undefined ? [] : [to]), ...others];
  const lines = decodeBody((await repository.read(command)).stdout)
    .split('\n')
    .slice(0, -1);
  return lines.length > MAX_NAMED ? [...lines.slice(0, MAX_NAMED), 'and earlier commits'] : lines;
}
