import { ToolError } from '@org/mcp-decorators';

import type { LoggedCommit } from '../parse/log.ts';
import type { Repository } from '../repository.ts';
import { findMergeBases, parseRange, resolveCommit } from './revision.ts';

/** A position in a log: the commits at which the walk starts, the excluded commits, and the number of commits to skip. */
export interface LogPosition {
  readonly from: readonly string[];
  /** Commits that are excluded together with all their ancestors. */
  readonly not: readonly string[];
  readonly skip: number;
}

const OIDS = String.raw`[0-9a-f]{40,64}(?:\.[0-9a-f]{40,64}){0,15}`;
const CURSOR = new RegExp(`^(?<from>${OIDS})(?:~(?<not>${OIDS}))?(?:\\+(?<skip>\\d{1,9}))?$`);
const MAX_FROM = 16;

/** @throws ToolError INVALID_ARGUMENTS */
export function parseLogCursor(cursor: string): LogPosition {
  const { from, not, skip = '0' } = CURSOR.exec(cursor)?.groups ?? {};
  if (from === undefined)
    throw new ToolError('INVALID_ARGUMENTS', 'the cursor is unknown: git_log did not return it', {
      hint: 'omit the cursor to start again',
    });
  return { from: from.split('.'), not: not?.split('.') ?? [], skip: Number(skip) };
}

export function formatLogCursor({ from, not, skip }: LogPosition): string {
  return from.join('.') + (not.length === 0 ? '' : `~${not.join('.')}`) + (skip === 0 ? '' : `+${skip}`);
}

/** One page of a log. */
export interface LogPage {
  readonly commits: readonly LoggedCommit[];
  /** The first commit of the next page; `undefined` if it was not read or does not exist. */
  readonly next: LoggedCommit | undefined;
  readonly start: LogPosition;
  /** Whether no filter excludes commits. */
  readonly isExact: boolean;
  readonly firstParent: boolean;
}

/**
 * Returns the position of the next page.
 *
 * Git orders commits by committer date, so the rest of the history is reachable from the parents of the commits shown. Starting
 * from these parents costs the same for each page, while skipping commits becomes slower with each page. Commits are skipped if a
 * filter excludes commits, if an earlier page skipped commits, or if the next commit is unknown. They are also skipped if a shown
 * commit is not newer than the next commit, or if more than 16 start commits would be necessary.
 */
export function advanceLogPosition({ commits, next, start, isExact, firstParent }: LogPage): LogPosition {
  const passed = { ...start, skip: start.skip + commits.length };
  if (!isExact || start.skip > 0 || next === undefined) return passed;
  if (commits.some((commit) => commit.committed <= next.committed)) return passed;
  const shown = new Set(commits.map(({ oid }) => oid));
  const parents = commits.flatMap((commit) => (firstParent ? commit.parents.slice(0, 1) : commit.parents));
  const left = new Set([...start.from, ...parents].filter((oid) => !shown.has(oid)));
  return left.size > MAX_FROM || left.size === 0 ? passed : { ...start, from: [...left], skip: 0 };
}

/**
 * Resolves a revision, a range `A..B` or a symmetric difference `A...B` to the start of a log.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO
 */
export async function resolveLogStart(repository: Repository, revision: string): Promise<LogPosition> {
  const range = parseRange(revision);
  if (range === undefined) return { from: [await resolveCommit(repository, revision)], not: [], skip: 0 };
  const [from, to] = await Promise.all([resolveCommit(repository, range.from), resolveCommit(repository, range.to)]);
  if (!range.isSymmetric) return { from: [to], not: [from], skip: 0 };
  return { from: [from, to], not: await findMergeBases(repository, from, to), skip: 0 };
}

/** Converts a position to arguments of git. */
export function buildWalkArguments({ from, not, skip }: LogPosition): readonly string[] {
  return [`--skip=${skip}`, ...from, ...not.map((oid) => `^${oid}`)];
}
