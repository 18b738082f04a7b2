import { ToolError } from '@org/mcp-decorators';
import { toToolError, quotePath } from '@org/mcp-roots';

import type { PutStep } from '../journal/change.ts';
import { SnapshotRestorer } from '../journal/restore.ts';
import { computeEtag } from '../storage/etag.ts';
import { requireUnchanged, type Target } from '../storage/target.ts';
import { prepareFile, type Content, type PreparedFile } from '../storage/write-atomically.ts';
import type { ChangeableFiles } from './change-support.ts';
import { keepForUndo, keepNewContent } from './keep-for-undo.ts';

/** The new content of a file. */
export interface NewContent {
  readonly target: Target;
  readonly content: Content;
}

/** The result of a change of several files. */
export interface ChangedFiles {
  /** Etags of the changed files, in the order of the given contents. */
  readonly etags: readonly string[];
  readonly undoId: string;
}

interface Prepared {
  readonly target: Target;
  readonly file: PreparedFile;
  readonly step: PutStep;
  readonly keptBytes: number;
}

/**
 * Replaces the contents of several files as one change, which one undo reverts. All new contents are written and all previous
 * contents are stored before the first rename, so that little can fail afterwards. After a failure, the files that were already
 * replaced are restored.
 *
 * @throws ToolError CONFLICT, TOO_LARGE, NO_SPACE, IO; the message or hint says that nothing was changed, or names the files that
 * could not be restored
 */
export async function changeFiles(
  files: ChangeableFiles,
  tool: string,
  contents: readonly NewContent[],
  signal: AbortSignal,
): Promise<ChangedFiles> {
  const prepared: Prepared[] = [];
  try {
    for (const each of contents) prepared.push(await prepare(files, each, signal));
    const undoId = await record(files, tool, prepared);
    await saveAll(files, prepared, undoId);
    for (const { target, file } of prepared)
      if (await files.changes.keepsNewContent(Number(file.written.facts.size))) await keepNewContent(files, target);
    return { undoId, etags: prepared.map(({ file }) => computeEtag(file.written.facts)) };
  } finally {
    for (const { file } of prepared) await file[Symbol.asyncDispose]();
  }
}

async function prepare(files: ChangeableFiles, { target, content }: NewContent, signal: AbortSignal): Promise<Prepared> {
  signal.throwIfAborted();
  try {
    const kept = await keepForUndo(files, target, signal);
    const file = await prepareFile(target, content, files.changes.settings);
    const { hash, facts } = file.written;
    const after = { type: 'file', hash, size: Number(facts.size), mode: Number(facts.mode) & 0o777 } as const;
    const step = { kind: 'put', path: target.shown, before: kept.snapshot, after } as const;
    return { target, file, step, keptBytes: kept.bytes };
  } catch (error) {
    throw signal.aborted ? signal.reason : withNote(toToolError(target.shown, error), 'nothing was changed');
  }
}

async function record({ changes: { journal } }: ChangeableFiles, tool: string, prepared: readonly Prepared[]): Promise<string> {
  const bytes = prepared.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  if (bytes > journal.maxBytes)
    throw new ToolError('TOO_LARGE', `the files have ${bytes} bytes, which is too much for the undo journal`, {
      hint: 'nothing was changed; change fewer files, or ask the operator to raise --max-journal-bytes',
    });
  const steps = prepared.map(({ step }) => step);
  return journal.record(tool, steps, bytes);
}

async function saveAll(files: ChangeableFiles, prepared: readonly Prepared[], undoId: string): Promise<void> {
  const saved: Prepared[] = [];
  try {
    for (const { target } of prepared) await requireUnchanged(target);
    for (const each of prepared) {
      await requireUnchanged(each.target);
      await each.file.save();
      saved.push(each);
    }
  } catch (error) {
    const failure = toToolError(prepared[saved.length]?.target.shown ?? '', error);
    throw withNote(failure, await revert(files, saved, undoId));
  }
}

/** Restores the files that were replaced before a failure and returns the sentence about the outcome. */
async function revert({ changes }: ChangeableFiles, saved: readonly Prepared[], undoId: string): Promise<string> {
  const restorer = new SnapshotRestorer(changes, new AbortController().signal);
  const left: string[] = [];
  for (const { target, step } of saved.toReversed()) {
    const isRestored = await restore(restorer, target, step).catch(() => false);
    if (!isRestored) left.push(step.path);
  }
  if (left.length > 0)
    return `these files could not be restored and contain the new text: ${left.map(quotePath).join(', ')}; undo_change with ${undoId} may restore them`;
  await changes.journal.forget(undoId);
  return saved.length === 0
    ? 'nothing was changed'
    : `nothing was changed: the files that had already been replaced (${saved.length}) were restored`;
}

/** Restores one file. If another program changed the file, leaves it as it is and returns `false`. */
async function restore(restorer: SnapshotRestorer, target: Target, { before, after }: PutStep): Promise<boolean> {
  if (!(await restorer.matchesAny(target, [before, after]))) return false;
  await restorer.restore(target, before);
  return true;
}

function withNote({ code, message, hint, data, cause }: ToolError, note: string): ToolError {
  return new ToolError(code, `${message}; ${note}`, { ...(hint !== undefined && { hint }), ...(data && { data }), cause });
}
