import { ToolError } from '@org/mcp-decorators';
import { refused, spelled } from '@org/mcp-roots';

import { etagOf } from '../etag.ts';
import type { Files } from '../files.ts';
import type { PutStep } from '../journal/change.ts';
import { Restoring } from '../journal/restore.ts';
import { keepForUndo } from './keep-for-undo.ts';
import { requireUnchanged } from './unchanged.ts';
import { prepareFile, type Content, type PreparedFile, type Target } from './write-atomically.ts';

/** What a file is to hold. */
export interface NewContent {
  readonly target: Target;
  readonly content: Content;
}

/** What became of several files. */
export interface ChangedFiles {
  /** In the order of the files. */
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
 * Replaces the contents of several files, as one change that is undone as one. All of it is written and kept for undo before the first
 * file takes the place of another, so that little is left that can fail; where it does, what was replaced before is restored.
 *
 * @throws ToolError CONFLICT, TOO_LARGE, NO_SPACE, IO; each says that nothing was changed, or what could not be restored
 */
export async function changeFiles(
  files: Files,
  tool: string,
  contents: readonly NewContent[],
  signal: AbortSignal,
): Promise<ChangedFiles> {
  const prepared: Prepared[] = [];
  try {
    for (const each of contents) prepared.push(await prepare(files, each, signal));
    const undoId = await record(files, tool, prepared);
    await saveAll(files, prepared, undoId);
    return { undoId, etags: prepared.map(({ file }) => etagOf(file.written.facts)) };
  } finally {
    for (const { file } of prepared) await file[Symbol.asyncDispose]();
  }
}

async function prepare(files: Files, { target, content }: NewContent, signal: AbortSignal): Promise<Prepared> {
  const { durability, stale, attributes } = files.changes;
  signal.throwIfAborted();
  try {
    const kept = await keepForUndo(files, target, signal);
    const file = await prepareFile(target, content, { durability, stale, attributes });
    const { hash, facts } = file.written;
    const after = { type: 'file', hash, size: Number(facts.size), mode: Number(facts.mode) & 0o777 } as const;
    const step = { kind: 'put', path: target.shown, before: kept.snapshot, after } as const;
    return { target, file, step, keptBytes: kept.bytes };
  } catch (error) {
    throw signal.aborted ? signal.reason : withNote(refused(target.shown, error), 'nothing was changed');
  }
}

async function record({ changes: { journal } }: Files, tool: string, prepared: readonly Prepared[]): Promise<string> {
  const bytes = prepared.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  if (bytes > journal.maxBytes)
    throw new ToolError('TOO_LARGE', `the files have ${bytes} bytes, which is too much to keep for undo_change`, {
      hint: 'nothing was changed; narrow it, or the operator raises --max-journal-bytes',
    });
  const steps = prepared.map(({ step }) => step);
  return journal.record(tool, steps, bytes);
}

async function saveAll(files: Files, prepared: readonly Prepared[], undoId: string): Promise<void> {
  const saved: Prepared[] = [];
  try {
    for (const { target } of prepared) await requireUnchanged(target);
    for (const each of prepared) {
      await requireUnchanged(each.target);
      await each.file.save();
      saved.push(each);
    }
  } catch (error) {
    const failure = refused(prepared[saved.length]?.target.shown ?? '', error);
    throw withNote(failure, await takeBack(files, saved, undoId));
  }
}

/** Restores what was replaced before a failure, and says what came of that. */
async function takeBack({ changes }: Files, saved: readonly Prepared[], undoId: string): Promise<string> {
  const restoring = new Restoring(changes, new AbortController().signal);
  const left: string[] = [];
  for (const { target, step } of saved.toReversed()) {
    const isRestored = await restore(restoring, target, step).catch(() => false);
    if (!isRestored) left.push(step.path);
  }
  if (left.length > 0)
    return `what could not be restored holds the new text: ${left.map(spelled).join(', ')}; undo_change with ${undoId} may restore it`;
  await changes.journal.forget(undoId);
  return saved.length === 0
    ? 'nothing was changed'
    : `nothing was changed: what was replaced before it (${saved.length}) is restored`;
}

/** Not where another program has changed it since. */
async function restore(restoring: Restoring, target: Target, { before, after }: PutStep): Promise<boolean> {
  if (!(await restoring.isOneOf(target, [before, after]))) return false;
  await restoring.restore(target, before);
  return true;
}

function withNote({ code, message, hint, data, cause }: ToolError, note: string): ToolError {
  return new ToolError(code, `${message}; ${note}`, { ...(hint !== undefined && { hint }), ...(data && { data }), cause });
}
