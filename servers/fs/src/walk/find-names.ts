import fs, { type Stats } from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';

import type { EntryType } from '../storage/entry-type.ts';
import { compileGlobOrWord } from './globs.ts';
import type { JobControl } from './job-control.ts';
import { createComparison, needsFacts, type SortKey } from './order.ts';
import { TopK } from './top-k.ts';
import { isBefore, walk, type Walked, type WalkScope, type WalkSummary } from './walk.ts';

export interface NamesQuery {
  readonly scope: WalkScope;
  readonly pattern: string;
  readonly type: EntryType | undefined;
  readonly minSize: number | undefined;
  readonly maxSize: number | undefined;
  readonly modifiedAfterMs: number | undefined;
  readonly sortBy: SortKey | undefined;
  readonly limit: number;
  /** Number of matches to skip; used only if the matches are sorted. */
  readonly offset: number;
  /** Last path of the previous page; used only if the matches are in the order of the walk. */
  readonly after: string | undefined;
}

/** A found entry. Its size and time are present only if the order or a filter requires them. */
export interface FoundName {
  readonly relative: string;
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
}

/** Finds names below a directory and reports one page of matches, in the order of the walk or sorted by `sortBy`. */
export function findNames(workerScope: WorkerScope, query: NamesQuery, control: JobControl<FoundName>): WalkSummary {
  return query.sortBy === undefined ? findInWalkOrder(workerScope, query, control) : findSorted(workerScope, query, control);
}

function findInWalkOrder(workerScope: WorkerScope, query: NamesQuery, control: JobControl<FoundName>): WalkSummary {
  const lookUp = createLookup(query);
  let left = query.limit;
  return walk(workerScope, query.scope, control, (entry) => {
    if (query.after !== undefined && !isBefore(query.after, entry.relative)) return true;
    const found = lookUp(entry);
    if (found === undefined) return true;
    left -= 1;
    if (left < 0) return false;
    control.found(found);
    return true;
  });
}

function findSorted(workerScope: WorkerScope, query: NamesQuery, control: JobControl<FoundName>): WalkSummary {
  const lookUp = createLookup(query);
  const end = query.offset + query.limit;
  const topMatches = new TopK<FoundName>(
    end + 1,
    createComparison(query.sortBy ?? 'name', ({ relative }) => relative),
  );
  const summary = walk(workerScope, query.scope, control, (entry) => {
    const found = lookUp(entry);
    if (found !== undefined) topMatches.add(found);
    return true;
  });
  const sorted = topMatches.sorted();
  for (const found of sorted.slice(query.offset, end)) control.found(found);
  return sorted.length > end && summary.end === 'complete' ? { ...summary, end: 'limit' } : summary;
}

function createLookup(query: NamesQuery): (entry: Walked) => FoundName | undefined {
  const matches = compileGlobOrWord(query.pattern);
  const bounds = [query.minSize, query.maxSize, query.modifiedAfterMs];
  const requiresFacts = needsFacts(query.sortBy) || bounds.some((bound) => bound !== undefined);
  return ({ relative, type, name, directory }) => {
    if ((query.type !== undefined && type !== query.type) || !matches(relative, name)) return undefined;
    if (!requiresFacts) return { relative, type };
    const facts = fs.lstatSync(`${directory.way}/${name}`, { throwIfNoEntry: false });
    if (facts === undefined || !isWithin(facts, query)) return undefined;
    return { relative, type, mtimeMs: facts.mtimeMs, ...(type === 'file' && { size: facts.size }) };
  };
}

/** Returns whether an entry is within the limits of size and time. A size limit excludes all entries that are not files. */
function isWithin(facts: Stats, { minSize, maxSize, modifiedAfterMs = -Infinity }: NamesQuery): boolean {
  const isSized = minSize !== undefined || maxSize !== undefined;
  if (isSized && (!facts.isFile() || facts.size < (minSize ?? 0) || facts.size > (maxSize ?? Infinity))) return false;
  return facts.mtimeMs > modifiedAfterMs;
}
