import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import {
  confirmedResult,
  Flag,
  ListOf,
  OneOf,
  Result,
  Text,
  ToolError,
  escapeInvisible,
  type RequestContext,
} from '@org/mcp-decorators';

import {
  compilePlan,
  planAutosquash,
  readEditedCommits,
  writeTodo,
  type EditedCommit,
  type HistoryPlan,
} from '../../repository/integrate/history-plan.ts';
import { requireIdleHead, type CommitHead } from '../../repository/integrate/idle-head.ts';
import { buildVerifyFlags, runIntegration, STRATEGY } from '../../repository/integrate/integrate.ts';
import { requireNoLocalChanges } from '../../repository/integrate/local-changes.ts';
import { undoIfCancelled } from '../../repository/integrate/undo-cancelled.ts';
import { backUpCommit } from '../../repository/refs/backup-ref.ts';
import { isAncestor, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireNoIgnoredFilesInTheWay } from '../../repository/work-tree/files-in-the-way.ts';
import { cutSubject } from '../../text/cut.ts';
import { formatCount, quoteForShell, shortOid } from '../../text/format.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { explainRewrite } from './git-rebase.ts';
import { formatIntegration, readOutcome, type IntegrationResult } from './integration-result.ts';
import { formatUndo, resetTo } from '../results/undo.ts';

const ACTIONS = ['pick', 'reword', 'squash', 'fixup', 'drop'] as const;

export class HistoryStep {
  @OneOf(ACTIONS, 'squash and fixup combine the commit with the one before; squash also joins the messages')
  action!: (typeof ACTIONS)[number];
  @Text('Commit after base') commit!: string;
  @Text('New message, for reword and squash', { optional: true, maxLength: 1_000_000 }) message?: string;
}

export class GitEditHistoryInput extends ConfirmInput {
  @Text('Commit before the first commit to edit') base!: string;
  @ListOf(() => HistoryStep, 'Each commit after base once, in the new order, oldest first', { optional: true, maxItems: 1000 })
  plan?: HistoryStep[];
  @Flag('Instead of a plan: combine fixup!, squash! and amend! commits with their targets') autosquash = false;
}

/** An edit that was checked. */
interface Edit {
  readonly head: CommitHead;
  readonly base: string;
  readonly commits: readonly EditedCommit[];
  readonly plan: HistoryPlan;
}

/**
 * Rewrites the commits of the current branch by a plan: picks, rewords, squashes, drops and reorders them. Never opens an editor.
 * Dropping commits, and rewriting pushed commits or a protected branch, requires confirmation.
 *
 * @throws ToolError CONFLICT with files, operation and next steps, CONFIRMATION_REQUIRED, PRECONDITION_FAILED, INVALID_ARGUMENTS,
 * INVALID_REVISION, EMPTY_REPO, NO_WORK_TREE, HOOK_FAILED, IDENTITY_REQUIRED, LOCKED
 */
export async function gitEditHistory(
  repository: Repository,
  input: GitEditHistoryInput,
  context: RequestContext,
): Promise<Result> {
  if (input.dry_run) {
    const edit = await planEdit(repository, input);
    if ((await findLoss(repository, edit)) === undefined) return formatDryRun(edit);
  }
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => findLoss(repository, await planEdit(repository, input)),
    async () => rewrite(repository, await planEdit(repository, input)),
  );
  return confirmedResult(outcome, formatIntegration);
}

async function planEdit(repository: Repository, { base, plan, autosquash }: GitEditHistoryInput): Promise<Edit> {
  if (autosquash === (plan !== undefined)) throw new ToolError('INVALID_ARGUMENTS', 'set either plan or autosquash');
  const head = await requireIdleHead(repository);
  await requireNoLocalChanges(repository);
  const from = await resolveCommit(repository, base);
  if (!(await isAncestor(repository, from, head.oid)))
    throw new ToolError('INVALID_ARGUMENTS', 'base is not an ancestor of HEAD', {
      hint: 'git_rebase moves the commits of the branch to another base',
    });
  const commits = await readEditedCommits(repository, from, head.oid);
  const compiled = plan === undefined ? planAutosquash(commits) : await compilePlan(repository, commits, plan);
  return { head, base: from, commits, plan: compiled };
}

async function findLoss(repository: Repository, edit: Edit): Promise<Loss | undefined> {
  const { head, base, commits, plan } = edit;
  if (isUnchanged(edit)) return undefined;
  const { own, why } = await explainRewrite(repository, head, base);
  const reasons = [
    ...(plan.dropped.length > 0 ? [`${formatCount(plan.dropped.length, 'commit')} would be dropped`] : []),
    ...why,
  ];
  if (reasons.length === 0) return undefined;
  const name = head.branch ?? 'the detached HEAD';
  return {
    question: `Rewrite ${formatCount(commits.length, 'commit')} of ${name}, although ${reasons.join(' and ')}? The result: ${formatResult(edit).join('; ')}`,
    lost: own,
    recoverWith: formatUndo(repository, [resetTo('keep', head.oid)]),
    seen: { head: head.oid, branch: head.branch ?? '', base },
  };
}

function isUnchanged({ commits, plan }: Edit): boolean {
  const { result } = plan;
  return (
    result.length === commits.length &&
    result.every(({ commits: [first], message }, position) => first?.oid === commits[position]?.oid && message === undefined)
  );
}

async function rewrite(repository: Repository, edit: Edit): Promise<IntegrationResult> {
  const { head, base, commits } = edit;
  if (isUnchanged(edit)) return readOutcome(repository, head.oid, () => 'up_to_date');
  const own = commits.map(({ oid }) => oid);
  await requireNoIgnoredFilesInTheWay(repository, [`${base} ${head.oid}`, ...own]);
  await backUpCommit(repository, head.oid);
  const todo = await writeTodo(edit.plan, (commit, message) => createReworded(repository, commit, message));
  const file = path.join(repository.layout.gitDir, `mcp-plan-${randomUUID()}`);
  await writeFile(file, todo, { flag: 'wx' });
  try {
    await undoIfCancelled(repository, { before: head.oid, commits: [base, ...own] }, () => runPlan(repository, base, file));
  } finally {
    await rm(file, { force: true });
  }
  return readOutcome(repository, head.oid, () => 'rebased');
}

async function runPlan(repository: Repository, base: string, file: string): Promise<void> {
  const flags = [
    '--interactive',
    '--merge',
    STRATEGY,
    '--empty=drop',
    '--no-fork-point',
    '--no-autosquash',
    '--no-autostash',
    '--no-update-refs',
    '--no-gpg-sign',
    '--no-rerere-autoupdate',
    '--no-stat',
    ...buildVerifyFlags(repository),
  ];
  // Git accepts the steps only from an editor: the program `cp` replaces the file, whose name git appends.
  const env = { GIT_SEQUENCE_EDITOR: `cp ${quoteForShell(file.split(path.sep).join('/'))}` };
  await runIntegration(repository, ['rebase', ...flags, base], { env });
}

/** Creates a copy of a commit with a new message. The list of steps names the copy instead of the original commit. */
async function createReworded(repository: Repository, { oid, author }: EditedCommit, message: string): Promise<string> {
  const env = { GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: `@${author.date}` };
  const input = message.endsWith('\n') ? message : `${message}\n`;
  const parent = await resolveCommit(repository, `${oid}^`);
  const { stdout } = await repository.write(['commit-tree', `${oid}^{tree}`, '-p', parent], { input, env });
  return stdout.toString('utf8').trim();
}

/** Maximum number of resulting commits in a preview. */
const MAX_SHOWN = 100;

function formatResult({ plan: { result, dropped } }: Edit): readonly string[] {
  const lines = result.map(({ commits, message }) => {
    const [subject = ''] = (message ?? commits[0]?.message ?? '').split('\n');
    return `${escapeInvisible(cutSubject(subject))} (${commits.map(({ oid }) => shortOid(oid)).join(' + ')})`;
  });
  return [
    ...lines.slice(0, MAX_SHOWN),
    ...(lines.length > MAX_SHOWN ? [`… and ${lines.length - MAX_SHOWN} more`] : []),
    ...(dropped.length === 0
      ? []
      : [
          `dropped: ${dropped
            .slice(0, MAX_SHOWN)
            .map(({ oid }) => shortOid(oid))
            .join(', ')}`,
        ]),
  ];
}

function formatDryRun(edit: Edit): Result {
  const lines = formatResult(edit);
  const next = 'To proceed, repeat the call without dry_run; conflicts may still stop it';
  return Result.of(
    { dry_run: true, result: lines, next },
    ['Dry run: nothing was done. The result, oldest first:', ...lines, next].join('\n'),
  );
}
