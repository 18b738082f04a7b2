import { Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';

import { withFile } from '../../change/with-targets.ts';
import type { Hunk } from '../../edits/text-diff.ts';
import { listPaths, listShownPaths, type Change } from '../../journal/change.ts';
import { changeNotFound } from '../../journal/journal.ts';
import { visibleName } from '../../text/format.ts';
import type { Files } from '../files.ts';
import { formatCount, sum } from '../notes.ts';
import { ResultBudget } from '../result-budget.ts';
import { canAccess } from '../undo/list-changes.ts';
import { compareVersions, listPlaces, type ChangedPlace } from './compare-versions.ts';

/** Maximum number of characters of a shown line, with its sign. */
const MAX_LINE = 2000;
/** Maximum number of listed paths of a change that moved or appended to files. */
const MAX_OTHERS = 100;

export class ReviewChangeInput {
  @Text('From a change or list_changes') undoId!: string;
}

const STATES = ['changed', 'created', 'deleted', 'same', 'other'] as const;

/** Lines that differ, with up to three unchanged lines before and after. */
export interface ReviewedHunk {
  /** Number of the hunk in the file, from 0. */
  readonly hunk: number;
  readonly oldStart: number;
  readonly newStart: number;
  /**
   * Lines of the hunk; long lines are cut. Each line begins with a space, `-`, `+` or `\`. A line that begins with `\` is a
   * comment on the line before it.
   */
  readonly lines: readonly string[];
  /** Whether `lines` contain everything of the current lines: no line is cut, and all of them have the same line ending. */
  readonly complete: boolean;
}

/** A file that a change concerns, compared with its text before the change. */
export interface ReviewedFile {
  readonly path: string;
  /**
   * `other` for an entry that cannot be compared: a directory, a link, a moved entry, a binary, large or unreadable file, or a
   * file whose old text is no longer stored.
   */
  readonly state: (typeof STATES)[number];
  /** Etag of the file; absent if `state` is `deleted` or `other`. */
  readonly etag?: string;
  /** Number of hunks, of which some may not be shown. */
  readonly total: number;
  readonly hunks: readonly ReviewedHunk[];
}

/** A change, compared with the files as they are now. */
export interface ReviewedChange {
  readonly undoId: string;
  readonly tool: string;
  /** ISO 8601 */
  readonly time: string;
  readonly files: readonly ReviewedFile[];
  /** Number of files that are not shown. */
  readonly more: number;
}

/**
 * Compares the files of a change with their texts before the change.
 *
 * @throws ToolError NOT_FOUND for an unknown, expired or inaccessible change
 */
export async function reviewChange(
  files: Files,
  { undoId }: ReviewChangeInput,
  { signal }: RequestContext,
): Promise<ReviewedChange> {
  const change = await getAccessible(files, undoId);
  const places = listPlaces(change).filter(({ old, put }) => old.type !== 'directory' && put.type !== 'directory');
  const budget = new ResultBudget(files.limits.maxBytes / 2);
  const shown: ReviewedFile[] = [];
  for (const place of places) {
    const reviewed = await reviewFile(files, place, budget, signal);
    if (reviewed === undefined) break;
    shown.push(reviewed);
  }
  const { id, tool, time } = change;
  const others = places.length === 0 ? listShownPaths(change.steps).map(describeOther) : [];
  const more = places.length - shown.length + Math.max(0, others.length - MAX_OTHERS);
  return { undoId: id, tool, time, files: [...shown, ...others.slice(0, MAX_OTHERS)], more };
}

/** Returns a change that the caller may know about. @throws ToolError NOT_FOUND for any other change */
export async function getAccessible(files: Files, undoId: string): Promise<Change> {
  const change = await files.changes.journal.get(undoId);
  if (!(await canAccess(files, listPaths(change.steps)))) throw changeNotFound(undoId);
  return change;
}

function describeOther(path: string): ReviewedFile {
  return { path, state: 'other', total: 0, hunks: [] };
}

/** Returns `undefined` if not even one hunk fits into the budget. */
async function reviewFile(
  files: Files,
  place: ChangedPlace,
  budget: ResultBudget,
  signal: AbortSignal,
): Promise<ReviewedFile | undefined> {
  const { path } = place;
  try {
    return await withFile(files, { path, dryRun: true }, signal, async (target) => {
      const versions = await compareVersions(files, target, place);
      if (versions === undefined) return describeOther(path);
      const { hunks: found, current } = versions;
      const hunks = found.map((each, number) => toReviewed(each, number, versions.now)).filter((each) => budget.take(each));
      if (found.length > 0 && hunks.length === 0) return undefined;
      const state = found.length === 0 ? 'same' : place.old.type === 'none' ? 'created' : 'changed';
      return { path, state, etag: current.etag, total: found.length, hunks };
    });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return error.code === 'NOT_FOUND' ? { ...describeOther(path), state: 'deleted' } : describeOther(path);
  }
}

function toReviewed({ oldStart, newStart, lines }: Hunk, hunk: number, now: readonly string[]): ReviewedHunk {
  const length = lines.filter((line) => !line.startsWith('-')).length;
  const isCut = lines.some((line) => line.length > MAX_LINE);
  const complete = !isCut && !mixesLineEndings(now.slice(newStart - 1, newStart - 1 + length));
  return { hunk, oldStart, newStart, lines: lines.map(cutLine), complete };
}

/** Whether lines have different line endings, or a carriage return that belongs to no line ending. */
function mixesLineEndings(lines: readonly string[]): boolean {
  const ends = lines.filter((line) => line.endsWith('\n')).map((line) => line.endsWith('\r\n'));
  return new Set(ends).size > 1 || lines.some((line) => /\r(?!\n)/.test(line));
}

function cutLine(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

export function reviewedChangeResult(review: ReviewedChange): Result {
  const lines = review.files.map(
    ({ path, state, total }) => `${state} ${visibleName(path)}${total > 0 ? `: ${formatCount(total, 'hunk', 'hunks')}` : ''}`,
  );
  const all = formatCount(sum(review.files.map(({ total }) => total)), 'hunk', 'hunks');
  return Result.of(review, [`${review.tool} ${review.undoId}: ${all}`, ...lines].join('\n'));
}
