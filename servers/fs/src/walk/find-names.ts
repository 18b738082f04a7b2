import fs, { type Stats } from 'node:fs';

import type { ThreadGround } from '@org/mcp-roots';

import type { Course } from './course.ts';
import { Foremost } from './foremost.ts';
import { matcherOf } from './globs.ts';
import type { FoundName, NamesQuery, WalkSummary } from './job.ts';
import { needsFacts, orderBy } from './order.ts';
import { isBefore, walk, type Walked } from './walk.ts';

/** Finds names below a directory: as many as are wanted in the order of the walk or, where they are to be sorted, all before the first. */
export function findNames(ground: ThreadGround, query: NamesQuery, course: Course<FoundName>): WalkSummary {
  return query.sortBy === undefined ? findSome(ground, query, course) : findSorted(ground, query, course);
}

function findSome(ground: ThreadGround, query: NamesQuery, course: Course<FoundName>): WalkSummary {
  const look = lookFor(query);
  let left = query.limit;
  return walk(ground, query.scope, course, (entry) => {
    if (query.after !== undefined && !isBefore(query.after, entry.relative)) return true;
    const found = look(entry);
    if (found === undefined) return true;
    left -= 1;
    if (left < 0) return false;
    course.found(found);
    return true;
  });
}

function findSorted(ground: ThreadGround, query: NamesQuery, course: Course<FoundName>): WalkSummary {
  const look = lookFor(query);
  const end = query.offset + query.limit;
  const foremost = new Foremost<FoundName>(
    end + 1,
    orderBy(query.sortBy ?? 'name', ({ relative }) => relative),
  );
  const summary = walk(ground, query.scope, course, (entry) => {
    const found = look(entry);
    if (found !== undefined) foremost.add(found);
    return true;
  });
  const sorted = foremost.sorted();
  for (const found of sorted.slice(query.offset, end)) course.found(found);
  return sorted.length > end && summary.end === 'complete' ? { ...summary, end: 'limit' } : summary;
}

function lookFor(query: NamesQuery): (entry: Walked) => FoundName | undefined {
  const matches = matcherOf(query.pattern);
  const bounds = [query.minSize, query.maxSize, query.modifiedAfterMs];
  const wantsFacts = needsFacts(query.sortBy) || bounds.some((bound) => bound !== undefined);
  return ({ relative, type, name, directory }) => {
    if ((query.type !== undefined && type !== query.type) || !matches(relative, name)) return undefined;
    if (!wantsFacts) return { relative, type };
    const facts = fs.lstatSync(`${directory.way}/${name}`, { throwIfNoEntry: false });
    if (facts === undefined || !isWithin(facts, query)) return undefined;
    return { relative, type, mtimeMs: facts.mtimeMs, ...(type === 'file' && { size: facts.size }) };
  };
}

/** Only files have a size that says something. */
function isWithin(facts: Stats, { minSize, maxSize, modifiedAfterMs = -Infinity }: NamesQuery): boolean {
  const isSized = minSize !== undefined || maxSize !== undefined;
  if (isSized && (!facts.isFile() || facts.size < (minSize ?? 0) || facts.size > (maxSize ?? Infinity))) return false;
  return facts.mtimeMs > modifiedAfterMs;
}
