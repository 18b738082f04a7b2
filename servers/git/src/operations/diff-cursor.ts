import type { DiffPosition } from '../repository/changes.ts';

const WITHIN = /^(?<skip>\d{1,10}):(?<path>.+)$/s;

/** A path or, within the patch of a file, the number of its bytes that were shown, a colon and the path. */
export function formatDiffCursor({ path, skip }: DiffPosition): string {
  return skip > 0 || WITHIN.test(path) ? `${skip}:${path}` : path;
}

export function parseDiffCursor(cursor: string): DiffPosition {
  const { skip, path } = WITHIN.exec(cursor)?.groups ?? {};
  return skip === undefined || path === undefined ? { path: cursor, skip: 0 } : { path, skip: Number(skip) };
}
