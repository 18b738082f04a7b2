import type { BigIntStats } from 'node:fs';

import { Flag, Text, ToolError, type RequestContext, Result } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { keepForUndo } from '../../change/keep-for-undo.ts';
import { replaceTail } from '../../change/replace-tail.ts';
import { respell } from '../../change/respell.ts';
import { withEntries, type EntryTarget } from '../../change/with-targets.ts';
import {
  createMoveMark,
  invertSteps,
  listPaths,
  listShownPaths,
  type MoveStep,
  type PutStep,
  type Step,
  type TailStep,
} from '../../journal/change.ts';
import { fingerprintContent } from '../../journal/contents.ts';
import { changeNotFound } from '../../journal/journal.ts';
import { changedSince, SnapshotRestorer } from '../../journal/restore.ts';
import { requireNoGit, tooLarge, type TakenSnapshot } from '../../journal/snapshot.ts';
import { requireKnownTail } from '../../journal/tail.ts';
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
  /** Present if the paths already had the state before the change. */
  readonly unchanged?: true;
  /** Id with which undo_change undoes this undo. */
  readonly undoId?: string;
}

/**
 * Restores the state before a change. The restoration is a change itself and can be undone.
 *
 * @throws ToolError CONFLICT if a path changed afterwards, unless `force` is set; NOT_FOUND for an unknown, expired or
 * inaccessible change; TIMEOUT, TOO_LARGE, NO_SPACE, the codes of `Roots.findEntryToMove`
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
    return {
      tool: change.tool,
      paths: listShownPaths(steps),
      ...(newUndoId === undefined ? { unchanged: true } : { undoId: newUndoId }),
    };
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

  /** Checks all steps, then makes them. Resolves to the id of this undo, or to `undefined` if no step changes anything. */
  async run(steps: readonly Step[], isForced: boolean): Promise<string | undefined> {
    const made: Step[] = [];
    let bytes = 0;
    const freed = new Set<string>();
    for (const step of steps) {
      await this.#requireChangeable(step);
      if (step.kind === 'move') {
        if (await this.#isMoved(step)) continue;
        await this.#requireMovable(step, { freed, isForced });
        freed.add(step.from);
        made.push(step);
        continue;
      }
      if (step.kind === 'tail') {
        const kept = await this.#keepTail(step, isForced);
        made.push(kept);
        bytes += kept.before.size;
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
    return made.every(isWithoutEffect) ? undefined : this.#makeAll(made, bytes);
  }

  async #makeAll(made: readonly Step[], bytes: number): Promise<string> {
    const { journal } = this.#files.changes;
    const undoId = await journal.record('undo_change', made, bytes);
    for (const step of made) await this.#make(step);
    return undoId;
  }

  #make(step: Step): Promise<void> {
    if (step.kind === 'move') return this.#move(step);
    if (step.kind === 'tail') return this.#replaceTail(step);
    const target = this.#targetAt(step.path);
    return step.partial === true
      ? this.#restorer.restorePartially(target, step.after, step.before)
      : this.#restorer.restore(target, step.after);
  }

  /** Stores the current end of the file and returns the step with this end. */
  async #keepTail(step: TailStep, isForced: boolean): Promise<TailStep> {
    const { changes } = this.#files;
    const { directory, name } = this.#targetAt(step.path);
    if (step.after.size > 0) await this.#restorer.requireContent(step.after.hash);
    await using file = await directory.openFile(name);
    await requireKnownTail(file, step, isForced, this.#signal);
    const size = file.size - step.keep;
    if (size > changes.journal.maxBytes) throw tooLarge(`has more than ${changes.journal.maxBytes} bytes`);
    return { ...step, before: { size, hash: await changes.journal.contents.keep(file, this.#signal, step.keep) } };
  }

  async #replaceTail({ path, keep, after }: TailStep): Promise<void> {
    const target = this.#targetAt(path);
    const { journal, settings } = this.#files.changes;
    if (target.facts === undefined) throw changedSince(path, 'the path no longer exists');
    const content = after.size > 0 ? journal.contents.read(after.hash) : nothing();
    await replaceTail({ ...target, facts: target.facts }, { keep, content }, settings, this.#signal);
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
    return content !== undefined && (await this.#fingerprint(from)) === content;
  }

  /** Returns whether an entry already has the name that a step gives it. */
  async #isMoved({ from, to, what, content }: MoveStep): Promise<boolean> {
    // If case does not matter, two spellings are one entry, so an entry at the new name proves nothing.
    if (from.toLowerCase() === to.toLowerCase()) return false;
    const [source, { facts }] = [this.#targetAt(from).facts, this.#targetAt(to)];
    if (facts === undefined || (source !== undefined && createMoveMark(source) === what)) return false;
    return createMoveMark(facts) === what || (content !== undefined && (await this.#fingerprint(to)) === content);
  }

  #fingerprint(path: string): Promise<string | undefined> {
    return fingerprintContent(this.#targetAt(path), this.#signal);
  }

  async #requireKnown({ path, before, after, partial }: PutStep): Promise<void> {
    if (!(await this.#restorer.matchesAny(this.#targetAt(path), [before, after], partial))) throw changedSince(path);
  }

  #takeSnapshot({ path, before, after, partial }: PutStep): Promise<TakenSnapshot> {
    const { maxTreeEntries: maxEntries } = this.#files.limits;
    const only = partial === true ? [before, after] : undefined;
    return keepForUndo(this.#files, this.#targetAt(path), this.#signal, { maxEntries, only });
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

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Whether the states before and after a step are equal. Etags are ignored, because a restored file has another etag. */
function isWithoutEffect(step: Step): boolean {
  if (step.kind === 'move') return false;
  const [before, after] = [step.before, step.after].map((state) =>
    JSON.stringify(state, (key, value: unknown) => (key === 'etag' ? undefined : value)),
  );
  return before === after;
}

export function undoResult(undone: UndoneChange): Result {
  const { tool, paths, unchanged } = undone;
  if (unchanged === true)
    return Result.of(undone, `${tool} on ${formatPaths(paths)} was undone already or never completed; nothing was changed`);
  return changeResult(undone, `Undid ${tool} on ${formatPaths(paths)}`, paths);
}
