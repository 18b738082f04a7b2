import type { DiffPosition } from '../repository/changes.ts';
import { unknownCursor } from './list-page.ts';

/** The letter c stands for a file that differs from several others, and d for any other file. */
const CURSOR = /^(?<kind>[cd]):(?<skip>\d{1,10}):(?<path>.+)$/s;

/** Returns the number of bytes that were shown of the patch of a file, and the path of the file. */
export function formatDiffCursor({ path, skip, combined }: DiffPosition): string {
  return `${combined ? 'c' : 'd'}:${skip}:${path}`;
}

/** @throws ToolError INVALID_ARGUMENTS for a cursor that no diff returned */
export function parseDiffCursor(cursor: string): DiffPosition {
  const { kind, skip, path } = CURSOR.exec(cursor)?.groups ?? {};
  if (skip !== undefined && path !== undefined) return { path, skip: Number(skip), combined: kind === 'c' };
  throw unknownCursor();
}
