import { Result, visibleName } from '@org/mcp-decorators';

import type { ConflictFile, ConflictList } from '../operations/git-conflicts.ts';
import type { AddedWorktree } from '../operations/git-worktree-add.ts';
import type { Worktree, WorktreeList } from '../operations/git-worktree-list.ts';
import type { PrunedWorktrees } from '../operations/git-worktree-prune.ts';
import type { RemovedWorktree } from '../operations/git-worktree-remove.ts';
import type { JoinedHistory, JoinOutcome } from '../operations/joined-history.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { restOf } from './rest-of.ts';

const SAID: Readonly<Record<JoinOutcome, string>> = {
  merged: 'Merged',
  fast_forward: 'Moved forward',
  up_to_date: 'Up to date already',
  staged: 'Staged, not committed',
  rebased: 'Rebased',
  picked: 'Picked',
  reverted: 'Reverted',
  finished: 'Finished',
  in_progress: 'Still in progress: git_continue goes on',
  aborted: 'Given up',
};

export function joinedResult(history: JoinedHistory): Result {
  const { outcome, branch, before, after, recover_with } = history;
  const place = branch === undefined ? 'HEAD' : visibleName(branch);
  const moved = before === after ? `${place} is at ${short(after)}` : `${place} went from ${short(before)} to ${short(after)}`;
  const back = recover_with === undefined ? [] : [`To go back: ${visibleName(recover_with)}`];
  const hint = outcome === 'in_progress' ? { hint: 'git_continue goes on' } : {};
  return Result.of({ ...history, ...hint }, [`${SAID[outcome]}; ${moved}`, ...back].join('\n'));
}

export function conflictsResult(list: ConflictList): Result {
  const { operation, files, total, next_steps } = list;
  const lines = [
    ...(operation === undefined ? [] : [`In progress: ${operation}`]),
    ...files.map(conflictLine),
    ...(total === 0 ? ['No conflicts'] : []),
    ...(list.next_cursor !== undefined ? [restOf(list, files.length, 'files')] : []),
    ...(next_steps.length === 0 ? [] : [`Next: ${next_steps.join('; ')}`]),
  ];
  return Result.of(list, lines.join('\n'));
}

export function worktreesResult(list: WorktreeList): Result {
  const rest = list.next_cursor === undefined ? [] : [restOf(list, list.worktrees.length, 'work trees')];
  const lines = [...list.worktrees.map(worktreeLine), ...rest];
  return Result.of(list, lines.join('\n'));
}

export function addedWorktreeResult(added: AddedWorktree): Result {
  const { path, oid, branch } = added;
  return Result.of(added, `Made ${visibleName(path)}, ${standing(branch, oid)}`);
}

export function removedWorktreeResult(removed: RemovedWorktree): Result {
  return Result.of(removed, `Removed ${visibleName(removed.path)}`);
}

export function prunedResult(pruned: PrunedWorktrees): Result {
  const lines = [`Forgot ${counted(pruned.total, 'work tree')}`, ...pruned.paths.map(visibleName)];
  return Result.of(pruned, lines.join('\n'));
}

function conflictLine({ path, kind, markers, binary, submodule }: ConflictFile): string {
  const notes = [
    ...(binary === true ? ['binary'] : []),
    ...(submodule === true ? ['submodule'] : []),
    ...(markers.length === 0
      ? []
      : [`marked in lines ${markers.map(({ start_line, end_line }) => `${start_line}-${end_line}`).join(', ')}`]),
  ];
  return `${kind}: ${visibleName(path)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function worktreeLine({ path, oid, branch, main, bare, locked, prunable }: Worktree): string {
  const notes = [
    ...(main ? ['main work tree'] : []),
    ...(locked === undefined ? [] : [`locked${locked === '' ? '' : `: ${visibleName(locked)}`}`]),
    ...(prunable === undefined ? [] : [`prunable: ${visibleName(prunable)}`]),
  ];
  const place = path === undefined ? 'outside the allowed directories' : visibleName(path);
  const where = bare === true ? 'bare' : standing(branch, oid);
  return `${place}: ${where}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function standing(branch: string | undefined, oid: string | undefined): string {
  const at = oid === undefined ? 'without commits' : `at ${short(oid)}`;
  return branch === undefined ? `detached ${at}` : `${visibleName(branch)} ${at}`;
}
