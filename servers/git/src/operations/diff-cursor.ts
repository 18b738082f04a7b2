import type { DiffPosition } from '../repository/changes.ts';
import { unknownCursor } from './list-page.ts';

/** Its letter tells it from the cursor of a file or directory, which git_show accepts, too. */
const CURSOR = /^d:(?<skip>\d{1,10}):(?<path>.+)$/s;

/** Returns the number of bytes that were shown of the patch of a file, and the path of the file. */
export function formatDiffCursor({ path, skip }: DiffPosition): string {
  return `d:${skip}:${path}`;
}

/** @throws ToolError INVALID_ARGUMENTS for a cursor that no diff returned */
export function parseDiffCursor(cursor: string): DiffPosition {
  const { skip, path } = CURSOR.exec(cursor)?.groups ?? {};
  if (skip !== undefined && path !== undefined) return { path, skip: Number(skip) };
  throw unknownCursor();
}
