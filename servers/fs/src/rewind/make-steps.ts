import { ToolError } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import type { ChangeableFiles } from '../change/change-support.ts';
import { keepForUndo } from '../change/keep-for-undo.ts';
import { withEntries, type EntryTarget } from '../change/with-targets.ts';
import type { PutStep } from '../journal/change.ts';
import type { ContentStore } from '../journal/contents.ts';
import { SnapshotRestorer } from '../journal/restore.ts';
import { requireNoGit, tooLarge } from '../journal/snapshot.ts';
import { areEqual, flattenSnapshot, NO_LEAF } from './leaf.ts';
import type { VirtualFiles } from './virtual-files.ts';

/** The steps that make virtual changes. */
export interface StepRequest {
  readonly tool: string;
  readonly files: VirtualFiles;
  readonly steps: readonly PutStep[];
  readonly maxEntries: number;
  /** Number of bytes of new contents that the caller has stored in the journal. */
  readonly storedBytes: number;
  readonly signal: AbortSignal;
  /** Called after each step is prepared, and again after the step is made; `total` is twice the number of steps. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Makes steps as one change, which one undo reverts, and resolves to its id. Every previous content is stored and the change is
 * recorded before the first step. So a killed server leaves a record that undo_change can use.
 *
 * @throws ToolError CONFLICT if a path changed since the plan; TIMEOUT, TOO_LARGE, READ_ONLY, DENIED_BY_POLICY, NO_SPACE, IO
 */
export async function makeSteps(changeable: ChangeableFiles, request: StepRequest): Promise<string> {
  const { steps, signal, onProgress } = request;
  const { changes } = changeable;
  const total = steps.length * 2;
  const paths = steps.map(({ path }) => path);
  return withEntries(changeable, paths, signal, async (targets) => {
    const prepared: PutStep[] = [];
    let bytes = request.storedBytes;
    for (const [index, step] of steps.entries()) {
      signal.throwIfAborted();
      const target = getTarget(targets, index, step);
      const taken = await prepare(changeable, { step, target }, request);
      prepared.push({ ...step, before: taken.snapshot });
      bytes += taken.bytes;
      if (bytes > changes.journal.maxBytes)
        throw tooLarge(`and the new content have more than ${changes.journal.maxBytes} bytes`);
      onProgress(index + 1, total);
    }
    const undoId = await changes.journal.record(request.tool, prepared, bytes);
    // A change that has begun is completed even if the call is cancelled, because it must be whole or absent.
    const restorer = new SnapshotRestorer(changes, new AbortController().signal);
    for (const [index, step] of prepared.entries()) {
      const target = getTarget(targets, index, step);
      if (step.partial === true) await restorer.restorePartially(target, step.after, step.before);
      else await restorer.restore(target, step.after);
      onProgress(steps.length + index + 1, total);
    }
    return undoId;
  });
}

function getTarget(targets: readonly EntryTarget[], index: number, { path }: PutStep): EntryTarget {
  const target = targets[index];
  if (target === undefined) throw changedSincePlan(path);
  return target;
}

async function prepare(
  changeable: ChangeableFiles,
  { step, target }: { readonly step: PutStep; readonly target: EntryTarget },
  request: StepRequest,
): Promise<Awaited<ReturnType<typeof keepForUndo>>> {
  const { directory, name } = target;
  await directory.requireChangeable(name);
  requireNoGit(directory, step.after, step.path);
  await keepContents(changeable, step, request);
  const only = step.partial === true ? [step.before, step.after] : undefined;
  const taken = await keepForUndo(changeable, target, request.signal, { maxEntries: request.maxEntries, only });
  const [found, planned] = [flattenSnapshot(step.path, taken.snapshot), flattenSnapshot(step.path, step.before)];
  for (const place of new Set([...found.keys(), ...planned.keys()]))
    if (!areEqual(found.get(place) ?? NO_LEAF, planned.get(place) ?? NO_LEAF)) throw changedSincePlan(place);
  return taken;
}

/** Stores the new contents that the journal does not have: merged texts, and the contents of moved files. */
async function keepContents({ roots, changes }: ChangeableFiles, step: PutStep, { files, signal }: StepRequest): Promise<void> {
  const { contents } = changes.journal;
  for (const place of flattenSnapshot(step.path, step.after).keys()) {
    const leaf = await files.get(place);
    if (leaf.type !== 'file') continue;
    if (leaf.bytes !== undefined) await contents.keepParts([leaf.bytes]);
    else if (leaf.place === undefined) await requireStored(contents, leaf.hash);
    else {
      await using file = await roots.openFile(leaf.place);
      if ((await contents.keep(file, signal)) !== leaf.hash) throw changedSincePlan(leaf.place);
    }
  }
}

async function requireStored(contents: ContentStore, hash: string): Promise<void> {
  if (await contents.refresh(hash)) return;
  throw new ToolError('IO', 'the undo journal removed a content before the change was made', {
    hint: 'nothing was changed; try again',
  });
}

function changedSincePlan(path: string): ToolError {
  return new ToolError('CONFLICT', `${quotePath(path)} was changed while the call was prepared`, {
    hint: 'nothing was changed; try again',
  });
}
