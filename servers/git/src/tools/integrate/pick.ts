import { Flag, Integer, TextList, ToolError } from '@org/mcp-decorators';

import { requireIdleHead } from '../../repository/integrate/idle-head.ts';
import { runIntegration, STRATEGY } from '../../repository/integrate/integrate.ts';
import { undoIfCancelled } from '../../repository/integrate/undo-cancelled.ts';
import { resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepoPath } from '../inputs/repository-input.ts';
import { readOutcome, type IntegrationOutcome, type IntegrationResult } from './integration-result.ts';

/** Input of cherry-pick and revert. */
export class PickInput {
  @RepoPath() repo_path?: string;
  @TextList('Commits or ranges such as main..topic, in this order', { minItems: 1, maxItems: 100 }) revisions!: string[];
  @Integer('For merge commits: number of the parent (from 1) to diff against', { optional: true, min: 1, max: 16 })
  mainline?: number;
  @Flag('Only stage the result; git_commit commits it') no_commit = false;
}

/** The differences between cherry-pick and revert. */
interface Direction {
  readonly command: 'cherry-pick' | 'revert';
  readonly outcome: IntegrationOutcome;
  /** Whether the commits of a range are applied oldest first. */
  readonly oldestFirst: boolean;
}

/** Applies or reverts the changes of commits. Never opens an editor. */
export function pickCommits(
  repository: Repository,
  { revisions, mainline, no_commit }: PickInput,
  { command, outcome, oldestFirst }: Direction,
): Promise<IntegrationResult> {
  return repository.withWriteLock(async () => {
    const { oid: before } = await requireIdleHead(repository);
    const oids: string[] = [];
    for (const revision of revisions) oids.push(...(await resolveCommits(repository, revision, oldestFirst)));
    await requirePickable(repository, oids, mainline);
    await requireNoIgnoredFilesInTheWay(repository, oids, command === 'revert');
    const flags = [
      STRATEGY,
      '--no-edit',
      '--no-gpg-sign',
      '--no-rerere-autoupdate',
      ...(mainline === undefined ? [] : [`--mainline=${mainline}`]),
      ...(no_commit ? ['--no-commit'] : []),
    ];
    await undoIfCancelled(repository, { before, commits: oids }, () =>
      runIntegration(repository, [command, ...flags, ...oids, '--']),
    );
    return readOutcome(repository, before, () => (no_commit ? 'staged' : outcome));
  });
}

async function resolveCommits(repository: Repository, revision: string, oldestFirst: boolean): Promise<readonly string[]> {
  const [from, to, ...more] = revision.split('..');
  if (from === undefined || to === undefined) return [await resolveCommit(repository, revision)];
  if (more.length > 0 || to.startsWith('.')) throw rangeError(`${quoteInput(revision)} is not a range of commits`);
  const [first, last] = [await resolveCommit(repository, from || 'HEAD'), await resolveCommit(repository, to || 'HEAD')];
  const { maxCommits } = repository.limits;
  const flags = [`--max-count=${maxCommits + 1}`, '--topo-order', ...(oldestFirst ? ['--reverse'] : [])];
  const { stdout } = await repository.read(['rev-list', ...flags, last, `^${first}`, '--']);
  const oids = stdout.toString('utf8').split('\n').slice(0, -1);
  if (oids.length === 0) throw rangeError(`the range ${quoteInput(revision)} contains no commits`);
  if (oids.length > maxCommits) throw rangeError(`the range ${quoteInput(revision)} contains more than ${maxCommits} commits`);
  return oids;
}

function rangeError(message: string): ToolError {
  return new ToolError('INVALID_REVISION', message, {
    hint: 'a range is FROM..TO: the commits in TO that FROM does not contain',
  });
}

/** Checks all commits before the first is applied: a sequence that stops at an invalid commit would have to be aborted. */
async function requirePickable(repository: Repository, oids: readonly string[], mainline: number | undefined): Promise<void> {
  const { stdout } = await repository.read(['rev-list', '--no-walk=unsorted', '--parents', ...new Set(oids), '--']);
  for (const line of stdout.toString('utf8').split('\n').slice(0, -1)) {
    const [oid = '', ...parents] = line.split(' ');
    if (parents.length > 1 && mainline === undefined)
      throw new ToolError('INVALID_ARGUMENTS', `${shortOid(oid)} is a merge`, {
        hint: 'to apply the changes relative to the first parent, set mainline: 1',
      });
    if (mainline !== undefined && mainline > Math.max(parents.length, 1))
      throw new ToolError('INVALID_ARGUMENTS', `${shortOid(oid)} has ${parents.length} parents`, {
        hint: 'mainline counts parents from 1',
      });
  }
}
