import type { BigIntStats } from 'node:fs';

import { Flag, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { spelled } from '@org/mcp-roots';

import type { Files } from '../files.ts';
import { inverse, markOf, pathsIn, type MoveStep, type PutStep, type Step } from '../journal/change.ts';
import { contentOf } from '../journal/contents.ts';
import { notKept } from '../journal/journal.ts';
import { changedSince, Restoring } from '../journal/restore.ts';
import type { Taken } from '../journal/snapshot.ts';
import { withEntries, type EntryTarget } from '../write/entry-places.ts';
import { keepForUndo } from '../write/keep-for-undo.ts';
import { requireNoGit, requireNothingDenied } from '../write/nothing-denied.ts';
import { respell } from '../write/respell.ts';
import { conflict } from '../write/unchanged.ts';
import { mayTouch } from './may-touch.ts';

export class UndoChangeInput {
  @Text('From the change or list_changes') undoId!: string;
  @Flag('Even if changed since', { optional: true }) force?: boolean;
}

/** What was undone. */
export interface UndoneChange {
  /** Whose change it was. */
  readonly tool: string;
  readonly paths: readonly string[];
  /** Undoes the undoing. */
  readonly undoId?: string;
}

/**
 * Makes everything that a change touched what it was before; that is a change, too, and can be undone.
 *
 * @throws ToolError CONFLICT where it was changed since, NOT_FOUND for what is not kept (any more), TIMEOUT, TOO_LARGE, NO_SPACE, those of
 * `Roots.placeToMove`
 */
export async function undoChange(
  files: Files,
  { undoId, force }: UndoChangeInput,
  { signal }: RequestContext,
): Promise<UndoneChange> {
  const change = await files.changes.journal.get(undoId);
  const steps = inverse(change.steps);
  const paths = pathsIn(steps);
  // Of a change of others not even its paths are told.
  if (!(await mayTouch(files, paths))) throw notKept(undoId);
  return withEntries(files, paths, signal, async (targets) => {
    const undoing = new Undoing(files, new Map(paths.map((path, index) => [path, targets[index]])), signal);
    const undone = await undoing.undo(steps, force === true);
    return { tool: change.tool, paths, ...(undone !== undefined && { undoId: undone }) };
  });
}

class Undoing {
  readonly #files: Files;
  readonly #targets: ReadonlyMap<string, EntryTarget | undefined>;
  readonly #signal: AbortSignal;
  readonly #restoring: Restoring;

  constructor(files: Files, targets: ReadonlyMap<string, EntryTarget | undefined>, signal: AbortSignal) {
    this.#files = files;
    this.#targets = targets;
    this.#signal = signal;
    this.#restoring = new Restoring(files.changes, signal);
  }

  /** Nothing is touched before all of it is known to be possible. */
  async undo(steps: readonly Step[], isForced: boolean): Promise<string | undefined> {
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
      await this.#restoring.requireContents(step.after);
      const isFreed = freed.has(step.path);
      if (step.after.type === 'none') freed.add(step.path);
      if (!isFreed && !isForced) await this.#requireKnown(step);
      const taken = isFreed ? { snapshot: step.before, bytes: 0 } : await this.#take(step);
      made.push({ ...step, before: taken.snapshot });
      bytes += taken.bytes;
    }
    const { journal } = this.#files.changes;
    const undoId = await journal.record('undo_change', made, bytes);
    for (const step of made)
      await (step.kind === 'move' ? this.#move(step) : this.#restoring.restore(this.#at(step.path), step.after));
    return undoId;
  }

  /** Checks permissions again, because a server with more rights may have used this state directory. */
  async #requireChangeable(step: Step): Promise<void> {
    for (const path of pathsIn([step])) {
      const { directory, name } = this.#at(path);
      await directory.requireChangeable(name);
      if (step.kind === 'put') requireNoGit(directory, step.after, path);
    }
  }

  async #requireMovable(
    step: MoveStep,
    { freed, isForced }: { readonly freed: ReadonlySet<string>; readonly isForced: boolean },
  ): Promise<void> {
    const { from, to } = step;
    const { directory, name, facts } = this.#at(from);
    if (facts === undefined) throw changedSince(from, 'it is not there any more');
    if (!isForced && !(await this.#isWhatWasMoved(step, facts))) throw changedSince(from);
    if (facts.isDirectory()) await requireNothingDenied(directory, name, 'moved', this.#signal);
    if (this.#at(to).facts !== undefined && !freed.has(to) && !this.#isRespelled(step))
      throw new ToolError('ALREADY_EXISTS', `${spelled(to)} exists already`);
  }

  async #isWhatWasMoved({ from, what, content }: MoveStep, facts: BigIntStats): Promise<boolean> {
    if (markOf(facts) === what) return true;
    return content !== undefined && (await contentOf(this.#at(from), this.#signal)) === content;
  }

  async #requireKnown({ path, before, after }: PutStep): Promise<void> {
    if (!(await this.#restoring.isOneOf(this.#at(path), [before, after]))) throw changedSince(path);
  }

  #take({ path }: PutStep): Promise<Taken> {
    return keepForUndo(this.#files, this.#at(path), this.#signal, this.#files.limits.maxTreeEntries);
  }

  /** Whether both paths are spellings of the same name. */
  #isRespelled({ from, to }: MoveStep): boolean {
    const [source, target] = [this.#at(from), this.#at(to)];
    const isOneDirectory = source.directory.self.ino === target.directory.self.ino;
    return isOneDirectory && source.directory.self.dev === target.directory.self.dev && source.name === target.name;
  }

  async #move(step: MoveStep): Promise<void> {
    const source = this.#at(step.from);
    const target = this.#at(step.to);
    if (this.#isRespelled(step)) return respell(source.directory, source.name, target.asked);
    await source.directory.renameNew(source.name, target.directory, target.name);
  }

  #at(path: string): EntryTarget {
    const target = this.#targets.get(path);
    if (target === undefined) throw conflict(path, undefined, undefined);
    return target;
  }
}
