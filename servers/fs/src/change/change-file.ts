import { ToolError } from '@org/mcp-decorators';

import type { PutStep } from '../journal/change.ts';
import type { Snapshot } from '../journal/snapshot.ts';
import { computeEtag } from '../storage/etag.ts';
import { conflict, requireUnchanged, type Target } from '../storage/target.ts';
import { writeAtomically, type Content } from '../storage/write-atomically.ts';
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
  const { changes } = files;
  const { facts, shown } = target;
  const kept = change.permanent === true ? undefined : await keepForUndo(files, target, signal);
  let undoId: string | undefined;
  let isNewKept = false;
  try {
    const written = await writeAtomically(target, change.content, {
      ...changes.settings,
      mode: change.mode,
      beforeSaving: async ({ hash, facts: { size, mode } }) => {
        const after: Snapshot = { type: 'file', hash, size: Number(size), mode: Number(mode) & 0o777 };
        if (kept !== undefined) {
          const step = createStep(target, change, { before: kept.snapshot, after });
          isNewKept = await changes.keepsNewContent(after.size);
          undoId = await changes.journal.record(change.tool, [step], kept.bytes + (isNewKept ? after.size : 0));
        }
        await requireUnchanged(target);
      },
    });
    if (isNewKept) await keepNewContent(files, target);
    return {
      path: shown,
      bytes: Number(written.facts.size),
      created: facts === undefined,
      etag: computeEtag(written.facts),
      ...(facts && { previousEtag: computeEtag(facts) }),
      ...(undoId !== undefined && { undoId }),
    };
  } catch (error) {
    if (undoId !== undefined) await changes.journal.forget(undoId);
    const wasCreated = facts === undefined && ToolError.is(error) && error.code === 'ALREADY_EXISTS';
    throw wasCreated ? conflict(shown, undefined, undefined) : error;
  }
}

function createStep({ shown, name }: Target, { made }: FileChange, states: Pick<PutStep, 'before' | 'after'>): PutStep {
  return made === undefined ? { kind: 'put', path: shown, ...states } : createFileStep(made, name, states.after);
}
