import type { BigIntStats } from 'node:fs';

import { etagOf } from '../etag.ts';
import { isListOf, isRecord, isSnapshot, type Snapshot } from './snapshot.ts';

/** Something that has a name became something else; plain JSON. */
export interface PutStep {
  readonly kind: 'put';
  /** The path that clients see. */
  readonly path: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Something got another name. */
export interface MoveStep {
  readonly kind: 'move';
  readonly from: string;
  readonly to: string;
  /** What was moved, by {@link markOf}. */
  readonly what: string;
  /** What it held, by `contentOf`: undoing a later change puts another file there that holds the same. */
  readonly content?: string;
}

export type Step = PutStep | MoveStep;

/** What one call changed, step by step; plain JSON. */
export interface Change {
  /** Those of later changes are greater. */
  readonly id: string;
  /** ISO 8601 */
  readonly time: string;
  readonly tool: string;
  readonly steps: readonly Step[];
}

/** Tells whether something is what was moved. Of a directory the type alone: what is in it may have changed, and one that was undone is another one. */
export function markOf(facts: BigIntStats): string {
  return facts.isDirectory() ? 'directory' : etagOf(facts);
}

/** What undoes steps. */
export function inverse(steps: readonly Step[]): readonly Step[] {
  return [...steps]
    .reverse()
    .map((step) =>
      step.kind === 'move' ? { ...step, from: step.to, to: step.from } : { ...step, before: step.after, after: step.before },
    );
}

/** The paths that steps touch, each once. */
export function pathsIn(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.flatMap((step) => (step.kind === 'move' ? [step.from, step.to] : [step.path])))];
}

/** Whether a record is one: another program, or a disk that failed, may have written there. */
export function isChange(value: unknown): value is Change {
  return isRecord(value) && TEXTS.every((name) => typeof value[name] === 'string') && isListOf(value['steps'], isStep);
}

const TEXTS = ['id', 'time', 'tool'] as const;

function isStep(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['kind'] === 'move') return ['from', 'to', 'what'].every((name) => typeof value[name] === 'string');
  return (
    value['kind'] === 'put' && typeof value['path'] === 'string' && isSnapshot(value['before']) && isSnapshot(value['after'])
  );
}
