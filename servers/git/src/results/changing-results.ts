import { Result, visibleName } from '@org/mcp-decorators';

import type { StagedFiles } from '../operations/git-add.ts';
import type { SwitchedBranch } from '../operations/git-checkout.ts';
import type { CleanOutcome } from '../operations/git-clean.ts';
import type { NewCommit } from '../operations/git-commit.ts';
import type { BranchPosition } from '../operations/git-create-branch.ts';
import type { DeletedBranch } from '../operations/git-delete-branch.ts';
import type { MovedFile } from '../operations/git-mv.ts';
import type { RenamedBranch } from '../operations/git-rename-branch.ts';
import type { ResetOutcome } from '../operations/git-reset.ts';
import type { RestoreOutcome } from '../operations/git-restore.ts';
import type { RemovedFiles } from '../operations/git-rm.ts';
import { counted } from '../text/counted.ts';
import { short } from '../text/short.ts';
import { withRecovery } from './recovery.ts';

export function stagedResult(files: StagedFiles): Result {
  const lines = [
    ...files.staged.map((path) => `staged ${visibleName(path)}`),
    ...(files.truncated ? ['[More files are staged: git_diff_staged with mode names lists them.]'] : []),
    ...files.skipped.map(({ path, reason }) => `skipped ${visibleName(path)} (${reason})`),
  ];
  return Result.of(files, lines.length === 0 ? 'Nothing differs from HEAD' : lines.join('\n'));
}

export function commitResult(commit: NewCommit): Result {
  const place = commit.branch === undefined ? '' : ` on ${visibleName(commit.branch)}`;
  const facts = `${counted(commit.files, 'file')}${commit.signed ? ', signed' : ''}`;
  return withRecovery(commit, `Committed ${short(commit.oid)}${place}: ${visibleName(commit.subject)} (${facts})`);
}

export function resetResult(reset: ResetOutcome): Result {
  const { before, after, unstaged = [], total = unstaged.length } = reset;
  const lines = [
    ...(before === after || after === undefined ? [] : [`HEAD is at ${short(after)}, was at ${short(before ?? '')}`]),
    ...unstaged.map((path) => `unstaged ${visibleName(path)}`),
    ...(total > unstaged.length ? [`… and ${total - unstaged.length} more`] : []),
  ];
  return withRecovery(
    reset,
    lines.length > 0 ? lines.join('\n') : reset.unstaged ? 'Nothing was staged' : `HEAD is at ${short(after ?? '')}`,
  );
}

export function restoredResult(restored: RestoreOutcome): Result {
  const where = [...(restored.staged ? ['the index'] : []), ...(restored.worktree ? ['the work tree'] : [])].join(' and ');
  return withRecovery(restored, `Restored in ${where}: ${restored.paths.map(visibleName).join(', ')}`);
}

export function cleanedResult(cleaned: CleanOutcome): Result {
  const { deleted, total, skipped } = cleaned;
  const lines = [
    ...deleted.map((path) => `deleted ${visibleName(path)}`),
    ...(total > deleted.length ? [`… and ${total - deleted.length} more`] : []),
    ...skipped.map((path) => `skipped ${visibleName(path)} (a repository)`),
  ];
  return withRecovery(cleaned, lines.length === 0 ? 'There was nothing to delete' : lines.join('\n'));
}

export function removedResult(files: RemovedFiles): Result {
  const { removed, total } = files;
  const more = total > removed.length ? [`… and ${total - removed.length} more`] : [];
  return withRecovery(files, [...removed.map((path) => `removed ${visibleName(path)}`), ...more].join('\n'));
}

export function movedResult(moved: MovedFile): Result {
  return withRecovery(moved, `Moved ${visibleName(moved.source)} to ${visibleName(moved.destination)}`);
}

export function createdResult(created: BranchPosition): Result {
  return Result.of(created, `Created ${visibleName(created.branch)} at ${short(created.oid)}`);
}

export function switchedResult(switched: SwitchedBranch): Result {
  return Result.of(switched, `Switched to ${visibleName(switched.branch)}, at ${short(switched.oid)}`);
}

export function branchDeletedResult(deleted: DeletedBranch): Result {
  return withRecovery(deleted, `Deleted ${visibleName(deleted.branch)} at ${short(deleted.oid)}`);
}

export function renamedResult(renamed: RenamedBranch): Result {
  return Result.of(renamed, `Renamed ${visibleName(renamed.previous)} to ${visibleName(renamed.branch)}`);
}
