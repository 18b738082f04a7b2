import { createHash } from 'node:crypto';

import { ToolError } from '@org/mcp-decorators';
import type { Roots } from '@org/mcp-roots';

import type { Change, MoveStep, PutStep, Step } from '../journal/change.ts';
import type { ContentStore } from '../journal/contents.ts';
import { areEqual, flattenSnapshot, NO_LEAF, type FileLeaf, type Leaf } from './leaf.ts';
import { mergeTexts, type Merged } from './merge-texts.ts';
import type { VirtualFiles } from './virtual-files.ts';

/** A path whose changes cannot be taken back. */
export interface RewindConflict {
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly reason: string;
}

export interface PlanContext {
  readonly roots: Roots;
  readonly contents: ContentStore;
  readonly files: VirtualFiles;
  readonly signal: AbortSignal;
  readonly maxMergeBytes: number;
  /** Whether later edits that cannot be merged are discarded. Otherwise, such edits are a conflict. */
  readonly isForced: boolean;
}

/** Takes back changes in virtual files. The caller passes the latest change first. */
export class RewindPlan {
  readonly #context: PlanContext;
  readonly #conflicts = new Map<string, string>();
  readonly #merged = new Set<string>();

  constructor(context: PlanContext) {
    this.#context = context;
  }

  get conflicts(): readonly RewindConflict[] {
    return [...this.#conflicts].map(([path, reason]) => ({ path, reason }));
  }

  /** The files whose later edits are kept. */
  get merged(): ReadonlySet<string> {
    return this.#merged;
  }

  async takeBack({ steps }: Change): Promise<void> {
    for (const step of [...steps].reverse()) {
      this.#context.signal.throwIfAborted();
      await this.#takeBackStep(step);
    }
  }

  /** Adds a conflict for each path whose restored content the journal no longer stores. */
  async requireContents(): Promise<void> {
    const { files, contents } = this.#context;
    for (const path of await files.listChanged()) {
      const leaf = await files.get(path);
      const isStored =
        leaf.type !== 'file' || leaf.place !== undefined || leaf.bytes !== undefined || (await contents.has(leaf.hash));
      if (!isStored) this.#conflicts.set(path, 'had a content that the journal no longer stores');
    }
  }

  #takeBackStep(step: Step): Promise<void> {
    if (step.kind === 'put') return this.#takeBackPut(step);
    if (step.kind === 'move') return this.#takeBackMove(step);
    this.#addConflict(step.path, 'is a large file to which text was appended; undo_change undoes that change');
    return Promise.resolve();
  }

  async #takeBackPut({ path, before, after }: PutStep): Promise<void> {
    const [old, put] = [flattenSnapshot(path, before), flattenSnapshot(path, after)];
    for (const place of new Set([...old.keys(), ...put.keys()]))
      await this.#restore(place, { old: old.get(place) ?? NO_LEAF, put: put.get(place) ?? NO_LEAF });
  }

  async #restore(place: string, { old, put }: { readonly old: Leaf; readonly put: Leaf }): Promise<void> {
    const { files, isForced } = this.#context;
    const found = await files.get(place);
    if (areEqual(found, old)) return;
    if (areEqual(found, put)) return files.set(place, old);
    const merged = await this.#merge(found, { old, put });
    if (typeof merged !== 'string') {
      this.#merged.add(place);
      return files.set(place, merged);
    }
    if (isForced) return files.set(place, old);
    this.#addConflict(place, merged);
  }

  /** Returns the merged file, or the reason why the edits cannot be merged. */
  async #merge(found: Leaf, { old, put }: { readonly old: Leaf; readonly put: Leaf }): Promise<FileLeaf | string> {
    if (found.type === 'none') return 'was deleted since';
    if (found.type !== 'file' || put.type !== 'file') return 'was replaced since';
    if (old.type !== 'file') return 'was edited since it was created';
    const merged = await this.#mergeFiles({ base: put, ours: found, theirs: old });
    if (merged.bytes === undefined) return merged.reason;
    const { bytes } = merged;
    return { type: 'file', hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, mode: found.mode, bytes };
  }

  async #mergeFiles(versions: Readonly<Record<'base' | 'ours' | 'theirs', FileLeaf>>): Promise<Merged> {
    const { maxMergeBytes } = this.#context;
    if (Object.values(versions).some(({ size }) => size > maxMergeBytes))
      return {
        reason: `was edited since and has more than ${maxMergeBytes} bytes, so the edits cannot be merged (--max-merge-bytes)`,
      };
    const [base, ours, theirs] = [
      await this.#read(versions.base),
      await this.#read(versions.ours),
      await this.#read(versions.theirs),
    ];
    if (base === undefined || ours === undefined || theirs === undefined)
      return { reason: 'was edited later, and a text that the merge needs is no longer stored' };
    return mergeTexts({ base, ours, theirs });
  }

  async #read({ hash, place, bytes }: FileLeaf): Promise<Buffer | undefined> {
    if (bytes !== undefined) return bytes;
    const { roots, contents } = this.#context;
    if (place !== undefined) {
      await using file = await roots.openFile(place);
      return await file.readAt(0, file.size);
    }
    return contents.readWhole(hash);
  }

  async #takeBackMove({ from, to }: MoveStep): Promise<void> {
    const { files } = this.#context;
    const [source, target] = [await files.get(from), await files.get(to)];
    if (target.type === 'none') {
      if (source.type === 'none') this.#addConflict(to, 'was moved here, and was deleted since');
      return;
    }
    if (source.type !== 'none') return this.#addConflict(from, `exists again, so ${to} cannot be moved back`);
    if (from.toLowerCase() === to.toLowerCase())
      return this.#addConflict(to, 'was renamed only in upper and lower case; undo_change undoes that change');
    try {
      for (const place of await files.listBelow(to)) {
        await files.set(from + place.slice(to.length), await files.get(place));
        await files.set(place, NO_LEAF);
      }
    } catch (error) {
      if (!ToolError.is(error) || error.code !== 'DENIED_BY_POLICY') throw error;
      this.#addConflict(to, 'contains an entry that may not be moved');
    }
  }

  #addConflict(path: string, reason: string): void {
    if (!this.#conflicts.has(path)) this.#conflicts.set(path, reason);
  }
}
