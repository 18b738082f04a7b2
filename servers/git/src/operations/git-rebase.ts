import { Flag, Text, ToolError, visibleName, type Preview, type RequestContext } from '@org/mcp-decorators';

import { ConfirmInput } from '../confirm/confirm-input.ts';
import type { Loss } from '../confirm/loss.ts';
import { whenConfirmed } from '../confirm/when-confirmed.ts';
import { backUp } from '../repository/backup-ref.ts';
import { requireNoIgnoredInTheWay } from '../repository/ignored-in-the-way.ts';
import { changedNames, idleHead, join, STRATEGY, verifyFlags, type FoundHead } from '../repository/joining.ts';
import { bodyOf } from '../repository/parse/fields.ts';
import { isProtected } from '../repository/protected-branches.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { undoneIfCancelled } from '../repository/undo-cancelled.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { joined } from './joined.ts';
import type { JoinedHistory } from './joined-history.ts';

export class GitRebaseInput extends ConfirmInput {
  @Text('Commits of the current branch that this one has not are put on top of it') upstream!: string;
  @Text('Put them on top of this one instead', { optional: true }) onto?: string;
  @Flag('Make merges anew; without it their commits end up in one line') rebase_merges = false;
}

interface Plan {
  readonly head: FoundHead;
  readonly upstream: string;
  readonly onto: string;
}

/** More file names than these are not repeated. */
const MAX_NAMED = 20;

/**
 * Puts the current branch's own commits on top of another; never with an editor. What is pushed already, or a protected branch, is
 * rewritten only if that is confirmed.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, INVALID_REVISION,
 * EMPTY_REPO, NO_WORK_TREE, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export function gitRebase(
  repository: Repository,
  input: GitRebaseInput,
  context: RequestContext,
): Promise<JoinedHistory | Preview> {
  return whenConfirmed(
    { repository, input, context },
    async () => lossOf(repository, await planOf(repository, input)),
    async (loss) => rebase(repository, await planOf(repository, input), { input, isRisky: loss !== undefined }),
  );
}

async function planOf(repository: Repository, { upstream, onto }: GitRebaseInput): Promise<Plan> {
  const head = await idleHead(repository);
  const files = await changedNames(repository, 'HEAD');
  if (files.length > 0)
    throw new ToolError('CONFLICT', `there are local changes: ${files.slice(0, MAX_NAMED).map(visibleName).join(', ')}`, {
      hint: 'commit them first, or put them aside with git_stash_push',
      data: { files },
    });
  const base = await resolveCommit(repository, upstream);
  return { head, upstream: base, onto: onto === undefined ? base : await resolveCommit(repository, onto) };
}

async function rebase(
  repository: Repository,
  { head, upstream, onto }: Plan,
  { input, isRisky }: { readonly input: GitRebaseInput; readonly isRisky: boolean },
): Promise<JoinedHistory> {
  if (isRisky) await backUp(repository, head.oid);
  const flags = [
    '--merge',
    STRATEGY,
    '--no-fork-point',
    '--no-autosquash',
    '--no-autostash',
    '--no-update-refs',
    '--no-gpg-sign',
    '--no-rerere-autoupdate',
    '--no-stat',
    ...(input.rebase_merges ? ['--rebase-merges=no-rebase-cousins'] : []),
    ...verifyFlags(repository),
  ];
  const { stdout } = await repository.read(['rev-list', head.oid, `^${upstream}`, '--']);
  const own = stdout.toString('utf8').split('\n').slice(0, -1);
  const commits = [onto, ...own];
  await requireNoIgnoredInTheWay(repository, [`${onto} ${head.oid}`, ...own]);
  await undoneIfCancelled(repository, { before: head.oid, commits }, () =>
    join(repository, ['rebase', ...flags, `--onto=${onto}`, upstream]),
  );
  return joined(repository, head.oid, (after) =>
    after === head.oid ? 'up_to_date' : after === onto ? 'fast_forward' : 'rebased',
  );
}

/** Others may have what is rewritten: it is theirs, too. */
async function lossOf(repository: Repository, { head, upstream, onto }: Plan): Promise<Loss | undefined> {
  const own = await commitsIn(repository, [head.oid, `^${upstream}`]);
  if (own.length === 0 || (await isInPlace(repository, head.oid, { upstream, onto }))) return undefined;
  const unpushed = await commitsIn(repository, [head.oid, `^${upstream}`, '--not', '--remotes']);
  const isGuarded = head.branch !== undefined && isProtected(head.branch, repository.policy);
  const pushed = own.length - unpushed.length;
  if (pushed === 0 && !isGuarded) return undefined;
  const name = head.branch ?? 'the detached HEAD';
  const why = [...(isGuarded ? ['the branch is protected'] : []), ...(pushed > 0 ? [`${pushed} of them are pushed`] : [])];
  return {
    question: `Rewrite ${counted(own.length, 'commit')} of ${name} on top of ${short(onto)}, although ${why.join(' and ')}?`,
    lost: own,
    recoverWith: `git reset --keep ${head.oid}`,
    seen: { head: head.oid, branch: head.branch ?? '', upstream, onto },
  };
}

/** Oid and subject of each, newest first. */
async function commitsIn(repository: Repository, range: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await repository.read(['rev-list', '--no-commit-header', '--format=commit %h %s', ...range, '--']);
  return bodyOf(stdout).split('\n').slice(0, -1);
}

/** The commits stand in one line on the new base already. */
async function isInPlace(
  repository: Repository,
  head: string,
  { upstream, onto }: Pick<Plan, 'upstream' | 'onto'>,
): Promise<boolean> {
  if (upstream !== onto) return false;
  const [base, merges] = await Promise.all([
    repository.read(['merge-base', onto, head], { codes: [0, 1] }),
    repository.read(['rev-list', '--merges', '--max-count=1', head, `^${onto}`, '--']),
  ]);
  return base.stdout.toString('utf8').trim() === onto && merges.stdout.length === 0;
}
