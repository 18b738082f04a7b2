import { formatVisibleJson } from '@org/mcp-decorators';

import type { Repository } from '../../repository/repository.ts';
import { formatRestoreCommand } from '../../repository/work-tree/stash-commit.ts';
import { quoteForShell } from '../../text/format.ts';

/** One step that undoes a change: a call of a tool, and the git command with the same effect. */
export interface UndoStep {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Empty if the command of another step has this effect, too. */
  readonly command: string;
}

/** Placeholder in a question for the backup commit, which exists only after the change. */
export const KEPT = 'KEPT';

/**
 * Formats the steps that undo a change. They are calls of tools if the server offers all of these tools, because a model may have no
 * shell. Otherwise they are git commands.
 */
export function formatUndo({ policy }: Pick<Repository, 'policy'>, steps: readonly UndoStep[]): string {
  const text = steps.every(({ tool }) => policy.offersTool?.(tool) ?? true)
    ? steps.map(({ tool, args }) => `${tool} ${formatVisibleJson(args)}`).join(', then ')
    : steps.flatMap(({ command }) => (command === '' ? [] : [command])).join(' && ');
  return steps.some(({ args }) => args['source'] === KEPT) ? `${text}, where ${KEPT} is the commit named in the result` : text;
}

/** Returns the undo step that moves the branch back to a commit. */
export function resetTo(mode: 'soft' | 'mixed' | 'hard' | 'keep', oid: string): UndoStep {
  return { tool: 'git_reset', args: { mode, target: oid }, command: `git reset --${mode} ${oid}` };
}

/** Returns the undo step that restores files of the work tree from a backup commit. */
export function restoreFiles(backup: string, paths: readonly string[]): UndoStep {
  return { tool: 'git_restore', args: { paths, source: backup }, command: formatRestoreCommand(backup, paths) };
}

/** Returns the undo step that restores all changes of the work tree and of the index from a backup commit. */
export function restoreChanges(backup: string): UndoStep {
  return {
    tool: 'git_restore',
    args: { paths: ['.'], source: backup, staged: true, worktree: true },
    command: `git stash apply --index ${backup}`,
  };
}

export function recreateBranch(branch: string, oid: string): UndoStep {
  return {
    tool: 'git_create_branch',
    args: { branch_name: branch, base_branch: oid },
    command: `git branch ${quoteForShell(branch)} ${oid}`,
  };
}
