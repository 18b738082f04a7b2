import type { BigIntStats } from 'node:fs';

import { Flag, Text, ToolError, type RequestContext, type Result } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { keepForUndo } from '../../change/keep-for-undo.ts';
import { respell } from '../../change/respell.ts';
import { withEntries, type EntryTarget } from '../../change/with-targets.ts';
import { createMoveMark, invertSteps, listPaths, type MoveStep, type PutStep, type Step } from '../../journal/change.ts';
import { fingerprintContent } from '../../journal/contents.ts';
import { changeNotFound } from '../../journal/journal.ts';
import { changedSince, SnapshotRestorer } from '../../journal/restore.ts';
import { requireNoGit, type TakenSnapshot } from '../../journal/snapshot.ts';
import { requireNothingDenied } from '../../storage/nothing-denied.ts';
import { conflict } from '../../storage/target.ts';
import { changeResult, formatPaths } from '../changing/change-result.ts';
import type { Files } from '../files.ts';
import { canAccess } from './list-changes.ts';

export class UndoChangeInput {
  @Text('From a change or list_changes') undoId!: string;
  @Flag('Undo even if a file changed later', { optional: true }) force?: boolean;
}

/** An undone change. */
export interface UndoneChange {
  /** The tool that made the change. */
  readonly tool: string;
  readonly paths: readonly string[];
  /** Id with which undo_change undoes this undo. */
  readonly undoId?: string;
}

/**
 * Restores the state before a change. The restoration is a change itself and can be undone.
 *
 * @throws ToolError CONFLICT if a path changed afterwards; NOT_FOUND for an unknown or expired change; TIMEOUT, TOO_LARGE, NO_SPACE, the codes of
 * `Roots.findEntryToMove`
 */
export async function undoChange(
  files: Files,
  { undoId, force }: UndoChangeInput,
  { signal }: RequestContext,
): Promise<UndoneChange> {
  const change = await files.changes.journal.get(undoId);
  const steps = invertSteps(change.steps);
  const paths = listPaths(steps);
  // The error must not disclose that another caller changed these paths.
  if (!(await canAccess(files, paths))) throw changeNotFound(undoId);
  return withEntries(files, paths, signal, async (targets) => {
    const undo = new Undo(files, new Map(paths.map((path, index) => [path, targets[index]])), signal);
    const newUndoId = await undo.run(steps, force === true);
    return { tool: change.tool, paths, ...(newUndoId !== undefined && { undoId: newUndoId }) };
  });
}

class Undo {
  readonly #files: Files;
  readonly #targets: ReadonlyMap<string, EntryTarget | undefined>;
  readonly #signal: AbortSignal;
  readonly #restorer: SnapshotRestorer;

  constructor(files: Files, targets: ReadonlyMap<string, EntryTarget | undefined>, signal: AbortSignal) {
    this.#files = files;
    this.#targets = targets;
    this.#signal = signal;
    this.#restorer = new SnapshotRestorer(files.changes, signal);
  }

  /** Checks all steps before the first one is made. */
  async run(steps: readonly Step[], isForced: boolean): Promise<string | undefined> {
    const made: Step[] = [];
    let bytes = 0;
    const freed = new Set<string>();
    for (const step of steps) {
      await this.#requireChangeable(step);
      if (step.kind === 'move') {
        await this.#requireMovable(step, { freed, isForced });
        freed.add(step.from);
        made.push(step);
        continue;
      }
      await this.#restorer.requireContents(step.after);
      const isFreed = freed.has(step.path);
      if (step.after.type === 'none') freed.add(step.path);
      if (!isFreed && !isForced) await this.#requireKnown(step);
      const taken = isFreed ? { snapshot: step.before, bytes: 0 } : await this.#takeSnapshot(step);
      made.push({ ...step, before: taken.snapshot });
      bytes += taken.bytes;
    }
    const { journal } = this.#files.changes;
    const undoId = await journal.record('undo_change', made, bytes);
    for (const step of made)
      await (step.kind === 'move' ? this.#move(step) : this.#restorer.restore(this.#targetAt(step.path), step.after));
    return undoId;
  }

  /** Checks permissions again, because a server with more rights may have used this state directory. */
  async #requireChangeable(step: Step): Promise<void> {
    for (const path of listPaths([step])) {
      const { directory, name } = this.#targetAt(path);
      await directory.requireChangeable(name);
      if (step.kind === 'put') requireNoGit(directory, step.after, path);
    }
  }

  async #requireMovable(
    step: MoveStep,
    { freed, isForced }: { readonly freed: ReadonlySet<string>; readonly isForced: boolean },
  ): Promise<void> {
    const { from, to } = step;
    const { directory, name, facts } = this.#targetAt(from);
    if (facts === undefined) throw changedSince(from, 'the path no longer exists');
    if (!isForced && !(await this.#isMovedEntry(step, facts))) throw changedSince(from);
    if (facts.isDirectory()) await requireNothingDenied(directory, name, 'moved', this.#signal);
    if (this.#targetAt(to).facts !== undefined && !freed.has(to) && !this.#isRespelling(step))
      throw new ToolError('ALREADY_EXISTS', `${quotePath(to)} already exists`);
  }

  async #isMovedEntry({ from, what, content }: MoveStep, facts: BigIntStats): Promise<boolean> {
    if (createMoveMark(facts) === what) return true;
    return content !== undefined && (await fingerprintContent(this.#targetAt(from), this.#signal)) === content;
  }

  async #requireKnown({ path, before, after }: PutStep): Promise<void> {
    if (!(await this.#restorer.matchesAny(this.#targetAt(path), [before, after]))) throw changedSince(path);
  }

  #takeSnapshot({ path }: PutStep): Promise<TakenSnapshot> {
    return keepForUndo(this.#files, this.#targetAt(path), this.#signal, this.#files.limits.maxTreeEntries);
  }

  /** Returns whether both paths are spellings of the same name. */
  #isRespelling({ from, to }: MoveStep): boolean {
    const [source, target] = [this.#targetAt(from), this.#targetAt(to)];
    const isOneDirectory = source.directory.self.ino === target.directory.self.ino;
    return isOneDirectory && source.directory.self.dev === target.directory.self.dev && source.name === target.name;
  }

  async #move(step: MoveStep): Promise<void> {
    const source = this.#targetAt(step.from);
    const target = this.#targetAt(step.to);
    if (this.#isRespelling(step)) return respell(source.directory, source.name, target.asked);
    await source.directory.renameNew(source.name, target.directory, target.name);
  }

  #targetAt(path: string): EntryTarget {
    const target = this.#targets.get(path);
    if (target === undefined) throw conflict(path, undefined, undefined);
    return target;
  }
}

export function undoResult(undone: UndoneChange): Result {
  const { tool, paths } = undone;
  return changeResult(undone, `Undid ${tool} on ${formatPaths(paths)}`, paths);
}
