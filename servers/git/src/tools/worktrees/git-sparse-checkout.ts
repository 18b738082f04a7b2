import { OneOf, Result, TextList, ToolError, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { encodePath, formatPath } from '../../repository/parse/path-bytes.ts';
import { readHead } from '../../repository/refs/head.ts';
import { findObject } from '../../repository/refs/object.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree, resolvePaths } from '../../repository/work-tree/paths.ts';
import {
  checkOutAll,
  checkOutOnly,
  listKeptFiles,
  readSparsity,
  type Sparsity,
} from '../../repository/work-tree/sparse-checkout.ts';
import { formatCount, quoteForShell } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRecovery, formatRest } from '../results/result-text.ts';
import { formatUndo, type UndoStep } from '../results/undo.ts';

const ACTIONS = ['list', 'set', 'add', 'disable'] as const;

export class GitSparseCheckoutInput extends ListInput {
  @OneOf(ACTIONS, 'set: check out only these directories; add: check out more; disable: check out all files')
  action!: (typeof ACTIONS)[number];

  @TextList('For set and add: directories of HEAD; [] leaves only the files at the top', { optional: true, maxItems: 1000 })
  directories?: string[];
}

/** The directories or patterns that determine which files are checked out. */
export interface SparseCheckout {
  readonly kind: Sparsity['kind'];
  readonly directories?: readonly string[];
  readonly patterns?: readonly string[];
  readonly total: number;
  readonly next_cursor?: string;
}

/** The outcome of a change. */
export interface ChangedSparseCheckout {
  readonly kind: Sparsity['kind'];
  /** Number of directories that are checked out; absent if all files are checked out. */
  readonly directories?: number;
  /** Changed files outside these directories that are still in the work tree. */
  readonly kept: readonly string[];
  readonly kept_total: number;
  /** The patterns of a sparse checkout that was disabled. */
  readonly patterns?: readonly string[];
  readonly recover_with?: string;
}

/**
 * Shows or changes which directories of HEAD are checked out. Commits and the index do not change. Files with changes, untracked files
 * and ignored files stay in the work tree.
 *
 * @throws ToolError NO_WORK_TREE, EMPTY_REPO, PATH_NOT_FOUND, INVALID_PATH, INVALID_ARGUMENTS, CONFLICT if the repository uses patterns
 * instead of directories, LOCKED
 */
export async function gitSparseCheckout(repository: Repository, input: GitSparseCheckoutInput): Promise<Result> {
  requireWorkTree(repository);
  requireFittingArguments(input);
  if (input.action === 'list') return formatSparsity(repository, await readSparsity(repository), input);
  return repository.withWriteLock(async () => {
    const before = await readSparsity(repository);
    if (input.action === 'disable') return disable(repository, before);
    const named = await requireDirectories(repository, input.directories ?? []);
    const known = input.action === 'add' ? requireKnownDirectories(before) : [];
    if (before.kind === 'patterns') throw patternsError();
    return choose(repository, before, [...new Set([...known, ...named])]);
  });
}

/** @throws ToolError INVALID_ARGUMENTS for arguments of another action, which would be ignored */
function requireFittingArguments({ action, directories, cursor }: GitSparseCheckoutInput): void {
  const takesDirectories = action === 'set' || action === 'add';
  if (takesDirectories && directories === undefined) throw new ToolError('INVALID_ARGUMENTS', `${action} requires directories`);
  if (!takesDirectories && directories !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `directories is not an argument of ${action}`);
  if (action !== 'list' && cursor !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `cursor is not an argument of ${action}`);
}

async function requireDirectories(repository: Repository, given: readonly string[]): Promise<readonly string[]> {
  const { oid } = await readHead(repository);
  if (oid === undefined) throw new ToolError('EMPTY_REPO', 'the repository has no commits');
  const resolved = resolvePaths(repository, given);
  await Promise.all(resolved.map((directory) => requireDirectory(repository, oid, directory)));
  return resolved;
}

async function requireDirectory(repository: Repository, oid: string, directory: string): Promise<void> {
  if (directory === '.')
    throw new ToolError('INVALID_ARGUMENTS', 'the top cannot be chosen as a directory', {
      hint: 'disable checks out all files; [] leaves only the files at the top',
    });
  // Git removes white space around a name, and ends a name at a newline.
  if (directory.trim() !== directory || encodePath(directory).includes('\n'))
    throw new ToolError('INVALID_PATH', `${formatPath(directory)} contains white space that git does not support here`);
  const type = (await findObject(repository, `${oid}:${directory}`))?.type;
  if (type === 'tree') return;
  const what = type === undefined ? 'does not exist in HEAD' : 'is not a directory';
  throw new ToolError('PATH_NOT_FOUND', `${formatPath(directory)} ${what}`, {
    hint: 'paths are relative to the top of the repository',
  });
}

/** @throws ToolError CONFLICT if all files are already checked out, or if the repository uses patterns */
function requireKnownDirectories(before: Sparsity): readonly string[] {
  if (before.kind === 'directories') return before.directories;
  if (before.kind === 'patterns') throw patternsError();
  throw new ToolError('CONFLICT', 'all files are already checked out', { hint: 'set checks out only some directories' });
}

function patternsError(): ToolError {
  return new ToolError('CONFLICT', 'the sparse checkout of this repository uses patterns instead of directories', {
    hint: 'list returns the patterns; disable checks out all files, and afterwards set checks out directories',
  });
}

async function choose(repository: Repository, before: Sparsity, directories: readonly string[]): Promise<Result> {
  const after = await checkOutOnly(repository, directories);
  const files = await listKeptFiles(repository, after);
  const kept = takeFittingItems(files.slice(0, repository.limits.maxEntries), repository.limits.maxBytes);
  const changed: ChangedSparseCheckout = {
    kind: 'directories',
    directories: after.length,
    kept,
    kept_total: files.length,
    ...buildUndo(repository, before),
  };
  const count = `${after.length} ${after.length === 1 ? 'directory' : 'directories'}`;
  const left = files.length > kept.length ? [`… and ${formatCount(files.length - kept.length, 'more file')}`] : [];
  const rest =
    files.length === 0
      ? []
      : ['Changed and untracked files outside these directories stay in the work tree:', ...kept.map(formatPath), ...left];
  return formatRecovery(changed, [`Checked out the files at the top and in ${count}`, ...rest].join('\n'));
}

async function disable(repository: Repository, before: Sparsity): Promise<Result> {
  if (before.kind === 'all') return Result.of({ kind: 'all', kept: [], kept_total: 0 }, 'All files were already checked out');
  await checkOutAll(repository);
  const changed: ChangedSparseCheckout = { kind: 'all', kept: [], kept_total: 0 };
  if (before.kind === 'directories')
    return formatRecovery({ ...changed, ...buildUndo(repository, before) }, 'All files are checked out');
  const patterns = takeFittingItems([...before.patterns], repository.limits.maxBytes);
  const lines = ['All files are checked out. The patterns, which stay in info/sparse-checkout, were:', ...patterns];
  return Result.of({ ...changed, patterns }, lines.map(escapeInvisible).join('\n'));
}

/** Returns the tool call or git command that restores the former choice, unless its text is longer than half of `maxBytes`. */
function buildUndo(repository: Repository, before: Sparsity): Pick<ChangedSparseCheckout, 'recover_with'> {
  const undo = formatUndo(repository, [undoStep(before)]);
  return Buffer.byteLength(undo) > repository.limits.maxBytes / 2 ? {} : { recover_with: undo };
}

function undoStep(before: Sparsity): UndoStep {
  if (before.kind !== 'directories')
    return { tool: 'git_sparse_checkout', args: { action: 'disable' }, command: 'git sparse-checkout disable' };
  const { directories } = before;
  const command = `git sparse-checkout set --cone --no-sparse-index ${directories.map(quoteForShell).join(' ')}`;
  return { tool: 'git_sparse_checkout', args: { action: 'set', directories }, command };
}

function formatSparsity({ limits }: Repository, sparsity: Sparsity, { cursor }: GitSparseCheckoutInput): Result {
  if (sparsity.kind === 'all') return Result.of({ kind: 'all', total: 0 }, 'All files are checked out');
  const all = sparsity.kind === 'directories' ? sparsity.directories : sparsity.patterns;
  const { items, ...next } = listPage(all, { cursor, most: limits.maxEntries, maxBytes: limits.maxBytes });
  const shown: SparseCheckout = { kind: sparsity.kind, [sparsity.kind]: items, total: all.length, ...next };
  const title =
    sparsity.kind === 'directories' ? 'Directories that are checked out:' : 'Patterns of the files that are checked out:';
  const rest = shown.next_cursor === undefined ? [] : [formatRest(shown, items.length, sparsity.kind)];
  return Result.of(
    shown,
    [title, ...items.map(sparsity.kind === 'directories' ? formatPath : escapeInvisible), ...rest].join('\n'),
  );
}
