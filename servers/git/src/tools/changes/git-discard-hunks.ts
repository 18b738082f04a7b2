import { confirmedResult, type Result, ToolError, type RequestContext } from '@org/mcp-decorators';

import { writeHunkPatch, type SelectedHunk } from '../../repository/content/hunk-patch.ts';
import { readHunks } from '../../repository/content/hunks.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';
import { readHead } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import { readPatchedFiles } from '../../repository/work-tree/patched-files.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { backUpChanges } from '../../repository/work-tree/stash-commit.ts';
import { readUncommittedChanges } from '../../repository/work-tree/uncommitted.ts';
import { ConfirmInput } from '../confirm/confirm-input.ts';
import { runWhenConfirmed, type Loss } from '../confirm/run-when-confirmed.ts';
import { formatRecovery } from '../results/result-text.ts';
import { formatUndo, KEPT, restoreFiles } from '../results/undo.ts';
import {
  countHunks,
  formatHunkCounts,
  HunkIds,
  parseSelections,
  selectHunks,
  type ChangedHunks,
  type Selection,
} from './selected-hunks.ts';

export class GitDiscardHunksInput extends ConfirmInput {
  @HunkIds() hunks!: string[];
}

/** The files whose hunks were discarded. */
export interface DiscardedHunks {
  readonly files: readonly ChangedHunks[];
  /** The tool call or git command that restores the files as they were. */
  readonly recover_with: string;
}

/**
 * Time limit in milliseconds for writing the files. A cancelled call does not stop the writing, because a stop could leave only a
 * part of the hunks discarded.
 */
const WRITE_MS = 60_000;

/**
 * Discards hunks of the work tree that are not staged: all of them, or none. Requires confirmation; the changes are kept in a backup
 * commit. The index does not change.
 *
 * @throws ToolError HUNK_CHANGED if an id names no current hunk; INVALID_ARGUMENTS, INVALID_PATH, TOO_LARGE, CONFIRMATION_REQUIRED,
 * DECLINED, PRECONDITION_FAILED, NO_WORK_TREE, LOCKED
 */
export async function gitDiscardHunks(
  repository: Repository,
  input: GitDiscardHunksInput,
  context: RequestContext,
): Promise<Result> {
  requireWorkTree(repository);
  const wanted = parseSelections(input.hunks);
  const outcome = await runWhenConfirmed(
    { repository, input, context },
    async () => findLoss(repository, await findSelected(repository, wanted)),
    async () => discard(repository, await findSelected(repository, wanted)),
  );
  return confirmedResult(outcome, (discarded) => formatRecovery(discarded, formatHunkCounts(discarded.files, 'Discarded')));
}

async function findSelected(repository: Repository, wanted: readonly Selection[]): Promise<readonly SelectedHunk[]> {
  const selected = selectHunks(await readHunks(repository, 'unstaged', []), wanted);
  const link = selected.find(({ hunk }) => hunk.header.some((line) => /^(?:index|old|new|deleted) .*120000$/.test(line)));
  if (link === undefined) return selected;
  throw new ToolError('INVALID_ARGUMENTS', `hunk ${link.hunk.id} changes a symbolic link`, {
    hint: 'discard the whole change of the link with git_restore',
  });
}

async function findLoss(repository: Repository, selected: readonly SelectedHunk[]): Promise<Loss> {
  await readPatchedFiles(repository, writePatch(selected), true);
  const paths = listPaths(selected);
  const { fingerprint } = await readUncommittedChanges(repository, paths);
  return {
    question: `Discard ${selected.length === 1 ? 'this change' : `these ${selected.length} changes`}?`,
    lost: selected.map(formatSelected),
    recoverWith: formatUndo(repository, [restoreFiles(KEPT, paths)]),
    seen: { changes: fingerprint },
  };
}

async function discard(repository: Repository, selected: readonly SelectedHunk[]): Promise<DiscardedHunks> {
  const paths = listPaths(selected);
  const { oid: head } = await readHead(repository);
  const kept = await backUpChanges(repository, { head, message: 'before hunks were discarded', paths });
  repository.signal.throwIfAborted();
  const writing = repository.withSignal(AbortSignal.timeout(WRITE_MS));
  const flags = ['--reverse', '--whitespace=nowarn', '--no-ignore-whitespace'];
  await writing.write(['apply', ...flags, '-'], { input: writePatch(selected) });
  return { files: countHunks(selected), recover_with: formatUndo(repository, [restoreFiles(kept, paths)]) };
}

function writePatch(selected: readonly SelectedHunk[]): Buffer {
  return Buffer.from(writeHunkPatch(selected, 'reverse'), 'latin1');
}

function listPaths(selected: readonly SelectedHunk[]): readonly string[] {
  return [...new Set(selected.map(({ hunk }) => hunk.path))];
}

function formatSelected({ hunk: { path, newStart, lines: all }, lines }: SelectedHunk): string {
  const changed = all.filter((line, index) => /^[-+]/.test(line) && (lines?.has(index + 1) ?? true));
  const added = changed.filter((line) => line.startsWith('+')).length;
  return `${formatPath(path)} at line ${newStart} (+${added} -${changed.length - added})`;
}
