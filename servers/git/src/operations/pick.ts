import { Flag, Integer, TextList, ToolError } from '@org/mcp-decorators';

import { requireNoIgnoredInTheWay } from '../repository/ignored-in-the-way.ts';
import { idleHead, join, STRATEGY } from '../repository/joining.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { undoneIfCancelled } from '../repository/undo-cancelled.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import { joined } from './joined.ts';
import type { JoinedHistory, JoinOutcome } from './joined-history.ts';
import { RepositoryInput } from './repository-input.ts';

/** Which commits, and how. */
export class PickInput extends RepositoryInput {
  @TextList('Commits, or ranges such as main..topic, in this order', { minItems: 1, maxItems: 100 }) revisions!: string[];
  @Integer('Of merges: the parent, from 1, that the change is told from', { optional: true, min: 1, max: 16 }) mainline?: number;
  @Flag('Leave the result staged, for git_commit') no_commit = false;
}

/** One of the two directions. */
export interface Direction {
  readonly command: 'cherry-pick' | 'revert';
  readonly outcome: JoinOutcome;
  /** In which order a range is taken. */
  readonly oldestFirst: boolean;
}

/** Applies what commits changed, or the opposite of it; never with an editor. */
export function pick(
  repository: Repository,
  { revisions, mainline, no_commit }: PickInput,
  { command, outcome, oldestFirst }: Direction,
): Promise<JoinedHistory> {
  return repository.alone(async () => {
    const { oid: before } = await idleHead(repository);
    const oids: string[] = [];
    for (const revision of revisions) oids.push(...(await commitsOf(repository, revision, oldestFirst)));
    await requirePickable(repository, oids, mainline);
    await requireNoIgnoredInTheWay(repository, oids, command === 'revert');
    const flags = [
      STRATEGY,
      '--no-edit',
      '--no-gpg-sign',
      '--no-rerere-autoupdate',
      ...(mainline === undefined ? [] : [`--mainline=${mainline}`]),
      ...(no_commit ? ['--no-commit'] : []),
    ];
    await undoneIfCancelled(repository, { before, commits: oids }, () => join(repository, [command, ...flags, ...oids, '--']));
    return joined(repository, before, () => (no_commit ? 'staged' : outcome));
  });
}

async function commitsOf(repository: Repository, revision: string, oldestFirst: boolean): Promise<readonly string[]> {
  const [from, to, ...more] = revision.split('..');
  if (from === undefined || to === undefined) return [await resolveCommit(repository, revision)];
  if (more.length > 0 || to.startsWith('.')) throw noRange(`${quoted(revision)} is no range of commits`);
  const [first, last] = [await resolveCommit(repository, from || 'HEAD'), await resolveCommit(repository, to || 'HEAD')];
  const { maxCommits } = repository.limits;
  const flags = [`--max-count=${maxCommits + 1}`, '--topo-order', ...(oldestFirst ? ['--reverse'] : [])];
  const { stdout } = await repository.read(['rev-list', ...flags, last, `^${first}`, '--']);
  const oids = stdout.toString('utf8').split('\n').slice(0, -1);
  if (oids.length === 0) throw noRange(`there are no commits in ${quoted(revision)}`);
  if (oids.length > maxCommits) throw noRange(`there are more than ${maxCommits} commits in ${quoted(revision)}`);
  return oids;
}

function noRange(message: string): ToolError {
  return new ToolError('INVALID_REVISION', message, { hint: 'a range is FROM..TO: what TO has and FROM has not' });
}

/** Before the first is done: a sequence that stops at a mistake would have to be given up. */
async function requirePickable(repository: Repository, oids: readonly string[], mainline: number | undefined): Promise<void> {
  const { stdout } = await repository.read(['rev-list', '--no-walk=unsorted', '--parents', ...new Set(oids), '--']);
  for (const line of stdout.toString('utf8').split('\n').slice(0, -1)) {
    const [oid = '', ...parents] = line.split(' ');
    if (parents.length > 1 && mainline === undefined)
      throw new ToolError('INVALID_ARGUMENTS', `${short(oid)} is a merge`, {
        hint: 'mainline: 1 takes it as a change of its first parent',
      });
    if (mainline !== undefined && mainline > Math.max(parents.length, 1))
      throw new ToolError('INVALID_ARGUMENTS', `${short(oid)} has ${parents.length} parents`, {
        hint: 'mainline counts them from 1',
      });
  }
}
