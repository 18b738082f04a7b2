import type { BigIntStats } from 'node:fs';

import { computeEtag } from '../storage/etag.ts';
import { isArrayOf, isRecord, isSnapshot, type Snapshot } from './snapshot.ts';

/** A step that gave a name new content. Plain JSON. */
export interface PutStep {
  readonly kind: 'put';
  /** The path that clients see. */
  readonly path: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** A step that gave an entry another name. Plain JSON. */
export interface MoveStep {
  readonly kind: 'move';
  readonly from: string;
  readonly to: string;
  /** Identifies the moved entry, see {@link createMoveMark}. */
  readonly what: string;
  /** Result of `fingerprintContent` for the moved file or link. If the undo of a later change has recreated this file, its identity differs, but its content still matches. */
  readonly content?: string;
}

export type Step = PutStep | MoveStep;

/** The steps of one call. Plain JSON. */
export interface Change {
  /** Later changes have greater ids. */
  readonly id: string;
  /** ISO 8601 */
  readonly time: string;
  readonly tool: string;
  readonly steps: readonly Step[];
}

/** Identifies a moved entry: an etag, but for a directory only its type, because its entries may change and an undo may create it again. */
export function createMoveMark(facts: BigIntStats): string {
  return facts.isDirectory() ? 'directory' : computeEtag(facts);
}

/** Returns the steps that undo the given steps. */
export function invertSteps(steps: readonly Step[]): readonly Step[] {
  return [...steps]
    .reverse()
    .map((step) =>
      step.kind === 'move' ? { ...step, from: step.to, to: step.from } : { ...step, before: step.after, after: step.before },
    );
}

/** Returns the distinct paths of steps. */
export function listPaths(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.flatMap((step) => (step.kind === 'move' ? [step.from, step.to] : [step.path])))];
}

/** Validates a record, because another program or a failing disk may have written the file. */
export function isChange(value: unknown): value is Change {
  return isRecord(value) && TEXTS.every((name) => typeof value[name] === 'string') && isArrayOf(value['steps'], isStep);
}

const TEXTS = ['id', 'time', 'tool'] as const;

function isStep(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['kind'] === 'move') return ['from', 'to', 'what'].every((name) => typeof value[name] === 'string');
  return (
    value['kind'] === 'put' && typeof value['path'] === 'string' && isSnapshot(value['before']) && isSnapshot(value['after'])
  );
}
