import { Flag, Integer, ListOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import type { ListedWorktree } from '../../repository/parse/worktrees.ts';
import { findShownPath, readWorktrees } from '../../repository/refs/worktrees.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

export class GitWorktreeListInput extends ListInput {}

export class Worktree {
  @Text('Absent if outside the allowed directories', { optional: true }) path?: string;
  @Text({ optional: true }) oid?: string;
  @Text('Branch, if any', { optional: true }) branch?: string;
  @Flag('This is the main work tree') main!: boolean;
  @Flag({ optional: true }) bare?: boolean;
  @Text('Reason for the lock; may be empty', { optional: true }) locked?: string;
  @Text('Reason why git_worktree_prune would remove the work tree', { optional: true }) prunable?: string;
}

export class WorktreeList {
  @ListOf(() => Worktree) worktrees!: Worktree[];
  @Integer() total!: number;
  @Text({ optional: true }) next_cursor?: string;
}

/** Lists at most `maxEntries` work trees and `maxBytes` bytes. @throws ToolError INVALID_ARGUMENTS if the cursor is unknown */
export async function gitWorktreeList(repository: Repository, { cursor }: ListInput, roots: Roots): Promise<Result> {
  const all: Worktree[] = [];
  for (const [position, each] of (await readWorktrees(repository)).entries())
    all.push(toWorktree(each, await findShownPath(roots, each.path), position === 0));
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: worktrees, ...next } = listPage(all, { cursor, most, maxBytes });
  return formatWorktrees({ worktrees, total: all.length, ...next });
}

function toWorktree({ oid, branch, bare, locked, prunable }: ListedWorktree, shown: string | undefined, main: boolean): Worktree {
  return {
    ...(shown !== undefined && { path: shown }),
    ...(oid !== undefined && { oid }),
    ...(branch !== undefined && { branch }),
    main,
    ...(bare && { bare }),
    ...(locked !== undefined && { locked }),
    // The reason that git gives may contain a path outside the allowed directories.
    ...(prunable !== undefined && { prunable: shown === undefined ? 'its directory does not exist' : prunable }),
  };
}

function formatWorktrees(list: WorktreeList): Result {
  const rest = list.next_cursor === undefined ? [] : [formatRest(list, list.worktrees.length, 'work trees')];
  const lines = [...list.worktrees.map(formatWorktree), ...rest];
  return Result.of(list, lines.join('\n'));
}

function formatWorktree({ path, oid, branch, main, bare, locked, prunable }: Worktree): string {
  const notes = [
    ...(main ? ['main work tree'] : []),
    ...(locked === undefined ? [] : [`locked${locked === '' ? '' : `: ${escapeInvisible(locked)}`}`]),
    ...(prunable === undefined ? [] : [`prunable: ${escapeInvisible(prunable)}`]),
  ];
  const place = path === undefined ? 'outside the allowed directories' : escapeInvisible(path);
  const where = bare === true ? 'bare' : formatPosition(branch, oid);
  return `${place}: ${where}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

export function formatPosition(branch: string | undefined, oid: string | undefined): string {
  const at = oid === undefined ? 'without commits' : `at ${shortOid(oid)}`;
  return branch === undefined ? `detached ${at}` : `${escapeInvisible(branch)} ${at}`;
}
