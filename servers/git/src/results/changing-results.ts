import { Result } from '@org/mcp-decorators';

import type { StagedFiles } from '../operations/git-add.ts';
import type { SwitchedBranch } from '../operations/git-checkout.ts';
import type { NewCommit } from '../operations/git-commit.ts';
import type { BranchPosition } from '../operations/git-create-branch.ts';
import { short } from '../text/short.ts';
import { visibleName } from '../text/visible.ts';

export function stagedResult(files: StagedFiles): Result {
  const lines = [
    ...files.staged.map((path) => `staged ${visibleName(path)}`),
    ...(files.truncated ? ['… more files are staged'] : []),
    ...files.skipped.map(({ path, reason }) => `skipped ${visibleName(path)} (${reason})`),
  ];
  return Result.of(files, lines.length === 0 ? 'Nothing differs from HEAD' : lines.join('\n'));
}

export function commitResult(commit: NewCommit): Result {
  const place = commit.branch === undefined ? '' : ` on ${visibleName(commit.branch)}`;
  return Result.of(commit, `Committed ${short(commit.oid)}${place}: ${visibleName(commit.subject)} (${commit.files} files)`);
}

export function createdResult(created: BranchPosition): Result {
  return Result.of(created, `Created ${visibleName(created.branch)} at ${short(created.oid)}`);
}

export function switchedResult(switched: SwitchedBranch): Result {
  return Result.of(switched, `Switched to ${visibleName(switched.branch)}, at ${short(switched.oid)}`);
}
