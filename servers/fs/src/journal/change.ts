import type { BigIntStats } from 'node:fs';
import path from 'node:path';

import { computeEtag } from '../storage/etag.ts';
import { isArrayOf, isHash, isRecord, isSnapshot, listHashes, type Snapshot } from './snapshot.ts';

/** A step that gave a name a new state: a file, a link, a directory with its entries, or no entry. Plain JSON. */
export interface PutStep {
  readonly kind: 'put';
  /** The path that clients see. */
  readonly path: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /**
   * Whether the step concerns only the entries that one of the snapshots names. Other entries of a directory stay, and a
   * directory with such entries is not removed.
   */
  readonly partial?: true;
}

/** A step that gave an entry another name. Plain JSON. */
export interface MoveStep {
  readonly kind: 'move';
  readonly from: string;
  readonly to: string;
  /** Identifies the moved entry, see {@link createMoveMark}. */
  readonly what: string;
  /**
   * Result of `fingerprintContent` for the moved file or link. If the undo of a later change has recreated this file, its
   * identity differs, but its content still matches.
   */
  readonly content?: string;
}

/** The end of a file. */
interface Tail {
  readonly size: number;
  /** SHA-256, hexadecimal */
  readonly hash: string;
}

/** A step that gave a large file another end. Plain JSON. */
export interface TailStep {
  readonly kind: 'tail';
  readonly path: string;
  /** Number of bytes before the tail. */
  readonly keep: number;
  /** Hash of the last bytes before the tail. */
  readonly edge: string;
  readonly before: Tail;
  readonly after: Tail;
}

export type Step = PutStep | MoveStep | TailStep;

/** The steps of one call. Plain JSON. */
export interface Change {
  /** Begins with the time of the change, so that ids sort by time. */
  readonly id: string;
  /** ISO 8601 */
  readonly time: string;
  readonly tool: string;
  readonly steps: readonly Step[];
}

/**
 * Returns the mark that identifies a moved entry: its etag, or only the type for a directory. The etag of a directory changes
 * with its entries, and if an undo creates the directory again.
 */
export function createMoveMark(facts: BigIntStats): string {
  return facts.isDirectory() ? 'directory' : computeEtag(facts);
}

/** Returns the steps that undo the given steps. */
export function invertSteps(steps: readonly Step[]): readonly Step[] {
  return [...steps].reverse().map((step) => {
    if (step.kind === 'move') return { ...step, from: step.to, to: step.from };
    if (step.kind === 'put') return { ...step, before: step.after, after: step.before };
    return { ...step, before: step.after, after: step.before };
  });
}

/** Returns the hashes of the stored contents that undoing the steps needs. */
export function listNeeded(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'put') return [...listHashes(step.before)];
    return step.kind === 'tail' && step.before.size > 0 ? [step.before.hash] : [];
  });
}

/** Returns the hashes of {@link listNeeded}, and those of the contents after put steps, which a rewind uses. */
export function listStored(steps: readonly Step[]): readonly string[] {
  return [...listNeeded(steps), ...steps.flatMap((step) => (step.kind === 'put' ? [...listHashes(step.after)] : []))];
}

/** Returns the distinct paths of steps. */
export function listPaths(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.flatMap((step) => (step.kind === 'move' ? [step.from, step.to] : [step.path])))];
}

/**
 * Returns the distinct paths of steps for people. A partial step has the path of the first file in its new directories, not the
 * path of the topmost new directory.
 */
export function listShownPaths(steps: readonly Step[]): readonly string[] {
  const shown = steps.map((step) => (step.kind === 'put' && step.partial === true ? { ...step, path: findLeaf(step) } : step));
  return listPaths(shown);
}

function findLeaf({ path: top, before, after }: PutStep): string {
  const names: string[] = [];
  let current = after.type === 'none' ? before : after;
  while (current.type === 'directory' && current.entries[0] !== undefined) {
    const [name, entry] = current.entries[0];
    names.push(name);
    current = entry;
  }
  return path.join(top, ...names);
}

/** Whether a value is a valid record. A record may be invalid, because another program or a failing disk may change its file. */
export function isChange(value: unknown): value is Change {
  return isRecord(value) && TEXTS.every((name) => typeof value[name] === 'string') && isArrayOf(value['steps'], isStep);
}

const TEXTS = ['id', 'time', 'tool'] as const;

function isStep(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['kind'] === 'tail') return isTailStep(value);
  if (value['kind'] === 'move') return ['from', 'to', 'what'].every((name) => typeof value[name] === 'string');
  const { kind, path: place, partial, before, after } = value;
  const isPut = kind === 'put' && typeof place === 'string' && (partial === undefined || partial === true);
  return isPut && isSnapshot(before) && isSnapshot(after);
}

function isTailStep(value: Readonly<Record<string, unknown>>): boolean {
  const { path, keep, edge, before, after } = value;
  return typeof path === 'string' && Number.isInteger(keep) && isHash(edge) && isTail(before) && isTail(after);
}

function isTail(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value['size']) && isHash(value['hash']);
}
