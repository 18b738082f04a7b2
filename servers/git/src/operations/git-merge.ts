import { Flag, OneOf, Text, ToolError } from '@org/mcp-decorators';

import { isAncestor } from '../repository/ancestry.ts';
import { symbolicName } from '../repository/ref-name.ts';
import { requireNoIgnoredInTheWay } from '../repository/ignored-in-the-way.ts';
import { idleHead, join, STRATEGY, verifyFlags, withoutOptions } from '../repository/joining.ts';
import type { Repository } from '../repository/repository.ts';
import { commonAncestors, resolveCommit } from '../repository/revision.ts';
import { undoneIfCancelled } from '../repository/undo-cancelled.ts';
import { requireMessage } from '../text/commit-message.ts';
import { short } from '../text/short.ts';
import { quoted } from '../text/visible.ts';
import { joined } from './joined.ts';
import type { JoinedHistory } from './joined-history.ts';
import { RepositoryInput } from './repository-input.ts';

const FAST_FORWARD = { auto: '--ff', only: '--ff-only', never: '--no-ff' } as const;

type FastForward = keyof typeof FAST_FORWARD;

const SIDES = ['ours', 'theirs'] as const;

export class GitMergeInput extends RepositoryInput {
  @Text('Branch, tag or commit') revision!: string;
  @OneOf(FAST_FORWARD, 'Whether the branch may, has to or must not just move forward') ff: FastForward = 'auto';
  @Text('Of the merge commit', { optional: true, maxLength: 30_000 }) message?: string;
  @Flag('Leave the result staged: git_continue commits it') no_commit = false;
  @Flag('Stage the changes alone: git_commit commits them, without a merge') squash = false;
  @OneOf(SIDES, 'Which side wins where both changed the same lines', { optional: true }) favour?: (typeof SIDES)[number];
}

/**
 * Merges a commit into the current branch; never with an editor, and hooks run only where the operator allows them. One that is cancelled
 * leaves everything as it was, or a merge that git_abort gives up.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NON_FAST_FORWARD, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export function gitMerge(repository: Repository, input: GitMergeInput): Promise<JoinedHistory> {
  requireConsistent(input);
  return repository.alone(() => merge(repository, input));
}

/** The same for who is alone in the repository already. */
export async function merge(repository: Repository, input: GitMergeInput): Promise<JoinedHistory> {
  const { oid: before, branch } = await idleHead(repository);
  const theirs = await resolveCommit(repository, input.revision);
  if (await isAncestor(repository, theirs, before)) return joined(repository, before, () => 'up_to_date');
  if (input.ff === 'only' && !(await isAncestor(repository, before, theirs))) throw diverged(input.revision);
  const message = input.message ?? (await messageOf(repository, input.revision, theirs, branch));
  const command = ['merge', ...flagsOf(repository, input, message), theirs];
  const [base] = await commonAncestors(repository, before, theirs);
  if (base !== undefined) await requireNoIgnoredInTheWay(repository, [`${theirs} ${base}`]);
  await undoneIfCancelled(repository, { before, commits: [theirs] }, () => join(repository, command, withoutOptions(branch)));
  return joined(repository, before, (after) => (after === before ? 'staged' : after === theirs ? 'fast_forward' : 'merged'));
}

function requireConsistent({ message, squash, ff }: GitMergeInput): void {
  if (squash && ff === 'never') throw new ToolError('INVALID_ARGUMENTS', 'a squash makes no merge commit: leave out ff');
  if (squash && message !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'a squash is not committed: give the message to git_commit');
  requireMessage(message);
}

function flagsOf(repository: Repository, { ff, no_commit, squash, favour }: GitMergeInput, message: string): readonly string[] {
  return [
    STRATEGY,
    ...(favour === undefined ? [] : [`--strategy-option=${favour}`]),
    ...(squash ? ['--squash'] : ['--no-squash', no_commit ? '--no-commit' : '--commit']),
    FAST_FORWARD[ff],
    // Below this line git then writes what is in conflict: other lines that begin with # stay.
    '--cleanup=scissors',
    '--no-edit',
    '--no-stat',
    '--no-progress',
    '--no-log',
    '--no-signoff',
    '--no-gpg-sign',
    '--no-verify-signatures',
    '--no-autostash',
    '--no-overwrite-ignore',
    ...verifyFlags(repository),
    `--message=${message}`,
  ];
}

/** As git words it for a name; it is given an object name only. */
async function messageOf(repository: Repository, given: string, oid: string, into: string | undefined): Promise<string> {
  const full = (await symbolicName(repository, given)) ?? '';
  const [prefix, kind] = KINDS.find(([start]) => full.startsWith(start)) ?? [];
  const what = prefix === undefined ? `commit '${short(oid)}'` : `${kind} '${full.slice(prefix.length)}'`;
  return `Merge ${what}${into === undefined ? '' : ` into ${into}`}`;
}

const KINDS: readonly (readonly [string, string])[] = [
  ['refs/heads/', 'branch'],
  ['refs/tags/', 'tag'],
  ['refs/remotes/', 'remote-tracking branch'],
];

function diverged(revision: string): ToolError {
  return new ToolError('NON_FAST_FORWARD', `the current branch has commits that ${quoted(revision)} has not`, {
    hint: 'merge with ff: auto, or git_rebase onto it',
  });
}
