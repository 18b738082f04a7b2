import { ToolError } from '@org/mcp-decorators';

import type { PutStep } from '../journal/change.ts';
import type { Snapshot, TakenSnapshot } from '../journal/snapshot.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict, requireUnchanged, type Target } from '../storage/target.ts';
import { writeAtomically, type Content, type Written } from '../storage/write-atomically.ts';
import type { ChangeableFiles } from './change-support.ts';
import { keepForUndo, keepNewContent } from './keep-for-undo.ts';
import { createFileStep, type MissingDirectories } from './missing-directories.ts';

/** A change that gives one file new content. */
export interface FileChange {
  readonly tool: string;
  readonly content: Content;
  readonly permanent?: boolean | undefined;
  /** Permissions of a new file. */
  readonly mode?: number | undefined;
  /** Parent directories that were created for the file; `undefined` if all of them existed. */
  readonly made?: MissingDirectories | undefined;
}

/** The result of a change. */
export interface ChangedFile {
  readonly path: string;
  readonly bytes: number;
  readonly created: boolean;
  readonly etag: string;
  readonly previousEtag?: string;
  readonly undoId?: string;
}

/** Creates a file or replaces its content. Unless the change is `permanent`, the journal stores the previous content for undo. */
export async function changeFile(
  files: ChangeableFiles,
  target: Target,
  change: FileChange,
  signal: AbortSignal,
): Promise<ChangedFile> {
  const { journal, settings } = files.changes;
  // The previous content is stored while the new content is written; both must be complete before the change is recorded.
  const keeping = change.permanent === true ? Promise.resolve(undefined) : keepForUndo(files, target, signal);
  keeping.catch(() => undefined);
  let recorded: RecordedChange | undefined;
  try {
    const written = await writeAtomically(target, change.content, {
      ...settings,
      mode: change.mode,
      beforeSaving: async (prepared) => {
        const kept = await keeping;
        if (kept !== undefined) recorded = await recordChange(files, target, change, { kept, written: prepared });
        await requireUnchanged(target);
      },
    });
    if (recorded?.isNewKept === true) await keepNewContent(files, target);
    return createResult(target, written, recorded);
  } catch (error) {
    if (recorded !== undefined) await journal.forget(recorded.undoId);
    const wasCreated = target.facts === undefined && ToolError.is(error) && error.code === 'ALREADY_EXISTS';
    throw wasCreated ? conflict(target.shown, undefined, undefined) : error;
  } finally {
    await keeping.catch(() => undefined);
  }
}

/** A change in the journal. */
interface RecordedChange {
  readonly undoId: string;
  /** Whether the new content has to be stored too. */
  readonly isNewKept: boolean;
}

async function recordChange(
  { changes }: ChangeableFiles,
  target: Target,
  change: FileChange,
  { kept, written }: { readonly kept: TakenSnapshot; readonly written: Written },
): Promise<RecordedChange> {
  const { hash, facts } = written;
  const after: Snapshot = { type: 'file', hash, size: Number(facts.size), mode: Number(facts.mode) & 0o777 };
  const step = createStep(target, change, { before: kept.snapshot, after });
  const isNewKept = await changes.keepsNewContent(after.size);
  const undoId = await changes.journal.record(change.tool, [step], kept.bytes + (isNewKept ? after.size : 0));
  return { undoId, isNewKept };
}

function createResult({ facts, shown }: Target, written: Written, recorded: RecordedChange | undefined): ChangedFile {
  return {
    path: shown,
    bytes: Number(written.facts.size),
    created: facts === undefined,
    etag: computeEtag(written.facts),
    ...(facts && { previousEtag: computeEtag(facts) }),
    ...(recorded !== undefined && { undoId: recorded.undoId }),
  };
}

function createStep({ shown, name }: Target, { made }: FileChange, states: Pick<PutStep, 'before' | 'after'>): PutStep {
  return made === undefined ? { kind: 'put', path: shown, ...states } : createFileStep(made, name, states.after);
}
