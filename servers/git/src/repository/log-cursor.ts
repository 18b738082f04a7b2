import { ToolError } from '@org/mcp-decorators';

import type { LoggedCommit } from './parse/log.ts';

/** Where a walk through history goes on: from these commits, passing over as many as were shown. */
export interface LogPosition {
  readonly from: readonly string[];
  /** Commits that are left out with all that they can reach. */
  readonly not: readonly string[];
  readonly skip: number;
}

const OIDS = String.raw`[0-9a-f]{40,64}(?:\.[0-9a-f]{40,64}){0,15}`;
const CURSOR = new RegExp(`^(?<from>${OIDS})(?:~(?<not>${OIDS}))?(?:\\+(?<skip>\\d{1,9}))?$`);
const MAX_FROM = 16;

/** @throws ToolError INVALID_ARGUMENTS */
export function parseCursor(cursor: string): LogPosition {
  const { from, not, skip = '0' } = CURSOR.exec(cursor)?.groups ?? {};
  if (from === undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor is none that git_log returned', { hint: 'leave it out to begin again' });
  return { from: from.split('.'), not: not?.split('.') ?? [], skip: Number(skip) };
}

export function formatCursor({ from, not, skip }: LogPosition): string {
  return from.join('.') + (not.length === 0 ? '' : `~${not.join('.')}`) + (skip === 0 ? '' : `+${skip}`);
}

/** A page of a walk. */
export interface WalkedPage {
  readonly commits: readonly LoggedCommit[];
  /** The first commit of the next page, if it is known. */
  readonly next: LoggedCommit | undefined;
  readonly start: LogPosition;
  /** The walk leaves no commit out. */
  readonly isExact: boolean;
  readonly firstParent: boolean;
}

/**
 * Where to go on after a page.
 *
 * git walks by committer's date, so what is left is all that can be reached from the parents of what was shown. Starting from
 * those costs the same on every page; passing over what was shown costs more on each. It is exact unless commits of the same
 * second stand on both sides of the cut, or a walk leaves commits out: then they are passed over.
 */
export function positionAfter({ commits, next, start, isExact, firstParent }: WalkedPage): LogPosition {
  const passed = { ...start, skip: start.skip + commits.length };
  if (!isExact || start.skip > 0 || next === undefined) return passed;
  if (commits.some((commit) => commit.committed <= next.committed)) return passed;
  const shown = new Set(commits.map(({ oid }) => oid));
  const parents = commits.flatMap((commit) => (firstParent ? commit.parents.slice(0, 1) : commit.parents));
  const left = new Set([...start.from, ...parents].filter((oid) => !shown.has(oid)));
  return left.size > MAX_FROM || left.size === 0 ? passed : { ...start, from: [...left], skip: 0 };
}
