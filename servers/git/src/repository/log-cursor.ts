import { ToolError } from '@org/mcp-decorators';

import type { LoggedCommit } from './parse/log.ts';

/** Where a walk through history goes on: from these commits, passing over as many as were shown. */
export interface LogPosition {
  readonly from: readonly string[];
  readonly skip: number;
}

const CURSOR = /^(?<from>[0-9a-f]{40,64}(?:\.[0-9a-f]{40,64}){0,15})(?:\+(?<skip>\d{1,9}))?$/;
const MAX_FROM = 16;

/** @throws ToolError INVALID_ARGUMENTS */
export function parseCursor(cursor: string): LogPosition {
  const { from, skip = '0' } = CURSOR.exec(cursor)?.groups ?? {};
  if (from === undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor is none that git_log returned', { hint: 'leave it out to begin again' });
  return { from: from.split('.'), skip: Number(skip) };
}

export function formatCursor({ from, skip }: LogPosition): string {
  return from.join('.') + (skip === 0 ? '' : `+${skip}`);
}

/**
 * Where to go on after a page.
 *
 * git walks by committer's date, so what is left is all that can be reached from the parents of what was shown. Starting from
 * those costs the same on every page; passing over what was shown costs more on each. It is exact unless commits of the same
 * second stand on both sides of the cut, or a walk leaves commits out: then they are passed over.
 */
export function positionAfter(page: readonly LoggedCommit[], next: LoggedCommit | undefined, start: LogPosition): LogPosition {
  const passed = { from: start.from, skip: start.skip + page.length };
  const last = page.at(-1);
  if (start.skip > 0 || last === undefined || next === undefined) return passed;
  if (page.some((commit) => commit.committed <= next.committed)) return passed;
  const shown = new Set(page.map(({ oid }) => oid));
  const left = new Set([...start.from, ...page.flatMap(({ parents }) => parents)].filter((oid) => !shown.has(oid)));
  return left.size > MAX_FROM || left.size === 0 ? passed : { from: [...left], skip: 0 };
}
