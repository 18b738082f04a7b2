import { ToolError } from '@org/mcp-decorators';

import { requireMessage } from '../../text/commit-message.ts';
import { shortOid } from '../../text/format.ts';
import { decodeTexts, groupFields } from '../parse/fields.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** A commit of the history that is edited. */
export interface EditedCommit {
  readonly oid: string;
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
}

/** A commit of the result: the first of `commits`, with which the other commits are combined. */
interface ResultingCommit {
  readonly commits: readonly EditedCommit[];
  /** New message; `undefined` if the message of the first commit is kept. */
  readonly message: string | undefined;
}

export interface HistoryPlan {
  readonly result: readonly ResultingCommit[];
  readonly dropped: readonly EditedCommit[];
}

/** A step of a plan: the action for one commit. */
export interface PlanStep {
  readonly action: 'pick' | 'reword' | 'squash' | 'fixup' | 'drop';
  readonly commit: string;
  readonly message?: string;
}

const FORMAT = '%H%x00%an%x00%ae%x00%ad%x00%B';
const FIELDS = 5;

/**
 * Reads the commits after `base` up to `head`, oldest first.
 *
 * @throws ToolError INVALID_ARGUMENTS for merges, or for more than `maxCommits` commits
 */
export async function readEditedCommits(repository: Repository, base: string, head: string): Promise<readonly EditedCommit[]> {
  const range = [head, `^${base}`, '--'];
  const merges = await repository.read(['rev-list', '--merges', '--max-count=1', ...range]);
  if (merges.stdout.length > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'the history after base contains merges', {
      hint: 'use a base after the last merge; git_rebase makes the history linear',
    });
  const most = repository.limits.maxCommits;
  const flags = ['--no-show-signature', '--encoding=UTF-8', '--date=raw', `--format=${FORMAT}`, `--max-count=${most + 1}`];
  const { stdout } = await repository.read(['log', '-z', '--topo-order', '--reverse', ...flags, ...range]);
  const commits = groupFields(decodeTexts(Buffer.concat([stdout, Buffer.of(0)])), FIELDS).map(
    ([oid = '', name = '', email = '', date = '', message = '']) => ({ oid, author: { name, email, date }, message }),
  );
  if (commits.length <= most) return commits;
  throw new ToolError('INVALID_ARGUMENTS', `the history after base has more than ${most} commits`, { hint: 'use a later base' });
}

/**
 * Compiles the steps of a plan. The steps are in the order of the result, and must name each of the commits exactly once.
 *
 * @throws ToolError INVALID_ARGUMENTS, INVALID_REVISION
 */
export async function compilePlan(
  repository: Repository,
  commits: readonly EditedCommit[],
  steps: readonly PlanStep[],
): Promise<HistoryPlan> {
  const left = new Map(commits.map((commit) => [commit.oid, commit]));
  const result: ResultingCommit[] = [];
  const dropped: EditedCommit[] = [];
  for (const step of steps) {
    const oid = await resolveCommit(repository, step.commit);
    const commit = left.get(oid);
    if (commit === undefined)
      throw planError(`${shortOid(oid)} is not a commit after base, or the plan names it twice`, 'name each commit once');
    left.delete(oid);
    if (step.action === 'drop') dropped.push(commit);
    else applyStep(result, commit, step);
  }
  if (left.size === 0) return { result, dropped };
  const missing = [...left.keys()].slice(0, MAX_NAMED).map(shortOid);
  throw planError(
    `the plan does not name all commits after base: ${missing.join(', ')}`,
    'use the action drop to remove a commit',
  );
}

/** Maximum number of commits that an error names. */
const MAX_NAMED = 20;

function applyStep(result: ResultingCommit[], commit: EditedCommit, { action, message }: PlanStep): void {
  requireMessage(message);
  if (action === 'reword' && message === undefined) throw planError('reword needs a message', 'add the new message');
  if (message !== undefined && (action === 'pick' || action === 'fixup'))
    throw planError(`${action} keeps a message`, 'use reword or squash to set a message');
  if (action === 'pick' || action === 'reword') result.push({ commits: [commit], message });
  else combine(result, commit, action === 'squash' ? (message ?? joinMessages(result.at(-1), commit.message)) : undefined);
}

function combine(
  result: ResultingCommit[],
  commit: EditedCommit,
  message: string | undefined,
  position = result.length - 1,
): void {
  const target = result[position];
  if (target === undefined)
    throw planError('the first commit cannot be combined with a commit before it', 'begin with pick or reword');
  result[position] = { commits: [...target.commits, commit], message: message ?? target.message };
}

function joinMessages(target: ResultingCommit | undefined, added: string): string {
  const first = target?.message ?? target?.commits[0]?.message ?? '';
  return added.trim() === '' ? first : `${first.trimEnd()}\n\n${added.trim()}\n`;
}

const MARK = /^(?:fixup|squash|amend)! /;

/**
 * Plans to combine each commit whose subject begins with `fixup!`, `squash!` or `amend!` with the earlier commit that it names. A
 * commit that names no earlier commit stays as it is.
 */
export function planAutosquash(commits: readonly EditedCommit[]): HistoryPlan {
  const result: ResultingCommit[] = [];
  for (const commit of commits) {
    const [subject = '', ...lines] = commit.message.split('\n');
    const position = MARK.test(subject) ? findTarget(result, subject) : -1;
    const body = lines.join('\n').trim();
    if (position === -1) result.push({ commits: [commit], message: undefined });
    else if (subject.startsWith('fixup!')) combine(result, commit, undefined, position);
    else if (subject.startsWith('squash!')) combine(result, commit, joinMessages(result[position], body), position);
    else combine(result, commit, body === '' ? undefined : `${body}\n`, position);
  }
  return { result, dropped: [] };
}

/** Minimum number of characters of a text that is compared with object names. */
const MIN_OID = 7;

function findTarget(result: readonly ResultingCommit[], subject: string): number {
  let named = subject;
  while (MARK.test(named)) named = named.replace(MARK, '');
  const matches = (test: (message: string, oid: string) => boolean): number =>
    result.findLastIndex(({ commits: [first] }) => first !== undefined && test(first.message, first.oid));
  const exact = matches((message, oid) => message.split('\n')[0] === named || (named.length >= MIN_OID && oid.startsWith(named)));
  return exact === -1 ? matches((message) => named !== '' && message.startsWith(named)) : exact;
}

/**
 * Returns the list of steps for git. No step opens an editor: for a new message, the step names a commit with this message.
 *
 * @param reword creates a commit with the content of another commit and a new message
 */
export async function writeTodo(
  { result }: HistoryPlan,
  reword: (commit: EditedCommit, message: string) => Promise<string>,
): Promise<string> {
  const lines: string[] = [];
  for (const { commits, message } of result)
    for (const [position, commit] of commits.entries()) {
      const isLast = position === commits.length - 1;
      const oid = isLast && message !== undefined ? await reword(commit, message) : commit.oid;
      lines.push(`${position === 0 ? 'pick' : oid === commit.oid ? 'fixup' : 'fixup -C'} ${oid}`);
    }
  return `${lines.length === 0 ? 'noop' : lines.join('\n')}\n`;
}

function planError(message: string, hint: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { hint });
}
