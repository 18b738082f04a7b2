import { Flag, OneOf, Text, ToolError, type Result } from '@org/mcp-decorators';

import { requireIdleHead } from '../../repository/integrate/idle-head.ts';
import { buildVerifyFlags, clearMergeOptions, runIntegration, STRATEGY } from '../../repository/integrate/integrate.ts';
import { undoIfCancelled } from '../../repository/integrate/undo-cancelled.ts';
import { findMergeBases, findRefName, isAncestor, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { requireMessage } from '../../text/commit-message.ts';
import { shortOid } from '../../text/format.ts';
import { quoteInput } from '../../text/visible.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatIntegration, readOutcome, type IntegrationResult } from './integration-result.ts';

const FAST_FORWARD = { auto: '--ff', only: '--ff-only', never: '--no-ff' } as const;

type FastForward = keyof typeof FAST_FORWARD;

const SIDES = ['ours', 'theirs'] as const;

export class GitMergeInput extends RepositoryInput {
  @Text('Branch, tag or commit to merge') revision!: string;
  @OneOf(FAST_FORWARD, 'Fast-forward: auto (default) if possible, only, or never') ff: FastForward = 'auto';
  @Text('Merge commit message', { optional: true, maxLength: 30_000 }) message?: string;
  @Flag('Only stage the result; git_continue commits it') no_commit = false;
  @Flag('Only stage the changes; git_commit commits them') squash = false;
  @OneOf(SIDES, 'Side that wins if both changed the same lines', { optional: true }) favour?: (typeof SIDES)[number];
}

/**
 * Merges a commit into the current branch. Never opens an editor; hooks run only if the operator allows them. A cancelled merge is undone, or
 * git_abort can abort it.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, NON_FAST_FORWARD, INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE,
 * INVALID_ARGUMENTS, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitMerge(repository: Repository, input: GitMergeInput): Promise<Result> {
  requireConsistent(input);
  return formatIntegration(await repository.withWriteLock(() => mergeRevision(repository, input)));
}

/** Merges a commit while the caller holds the write lock of the repository. */
export async function mergeRevision(repository: Repository, input: GitMergeInput): Promise<IntegrationResult> {
  const { oid: before, branch } = await requireIdleHead(repository);
  const theirs = await resolveCommit(repository, input.revision);
  if (await isAncestor(repository, theirs, before)) return readOutcome(repository, before, () => 'up_to_date');
  if (input.ff === 'only' && !(await isAncestor(repository, before, theirs))) throw divergedError(input.revision);
  const message = input.message ?? (await buildMessage(repository, input.revision, theirs, branch));
  const command = ['merge', ...buildFlags(repository, input, message), theirs];
  const [base] = await findMergeBases(repository, before, theirs);
  if (base !== undefined) await requireNoIgnoredFilesInTheWay(repository, [`${theirs} ${base}`]);
  await undoIfCancelled(repository, { before, commits: [theirs] }, () =>
    runIntegration(repository, command, clearMergeOptions(branch)),
  );
  return readOutcome(repository, before, (after) => (after === before ? 'staged' : after === theirs ? 'fast_forward' : 'merged'));
}

function requireConsistent({ message, squash, ff }: GitMergeInput): void {
  if (squash && ff === 'never') throw new ToolError('INVALID_ARGUMENTS', 'a squash creates no merge commit: omit ff');
  if (squash && message !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'a squash is not committed: pass the message to git_commit');
  requireMessage(message);
}

function buildFlags(
  repository: Repository,
  { ff, no_commit, squash, favour }: GitMergeInput,
  message: string,
): readonly string[] {
  return [
    STRATEGY,
    ...(favour === undefined ? [] : [`--strategy-option=${favour}`]),
    ...(squash ? ['--squash'] : ['--no-squash', no_commit ? '--no-commit' : '--commit']),
    FAST_FORWARD[ff],
    // git writes the conflicts below a scissors line, so other lines that start with # remain.
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
    ...buildVerifyFlags(repository),
    `--message=${message}`,
  ];
}

/** Builds the message that git would write for a branch or tag name, because git receives only an object name here. */
async function buildMessage(repository: Repository, given: string, oid: string, into: string | undefined): Promise<string> {
  const full = (await findRefName(repository, given)) ?? '';
  const [prefix, kind] = KINDS.find(([start]) => full.startsWith(start)) ?? [];
  const what = prefix === undefined ? `commit '${shortOid(oid)}'` : `${kind} '${full.slice(prefix.length)}'`;
  return `Merge ${what}${into === undefined ? '' : ` into ${into}`}`;
}

const KINDS: readonly (readonly [string, string])[] = [
  ['refs/heads/', 'branch'],
  ['refs/tags/', 'tag'],
  ['refs/remotes/', 'remote-tracking branch'],
];

function divergedError(revision: string): ToolError {
  return new ToolError('NON_FAST_FORWARD', `the current branch has commits that ${quoteInput(revision)} does not contain`, {
    hint: `use ff: auto, or rebase onto ${quoteInput(revision)} with git_rebase`,
  });
}
