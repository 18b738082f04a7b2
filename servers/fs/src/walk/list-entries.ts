import fs from 'node:fs';
import path from 'node:path';

import type { ThreadGround } from '@org/mcp-roots';
import { walkDenials } from '@org/mcp-roots/threads';

import { entryTypeOf } from '../entry-type.ts';
import type { Course } from './course.ts';
import { matcherOf } from './globs.ts';
import { holdDirectory, type HeldDirectory } from './held-directory.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { Listed, ListQuery, ListSummary } from './job.ts';
import { needsFacts, sortEntries } from './order.ts';

/** Names that are read at a time. */
const BUFFERED = 1024;

/** Lists one directory: a page of it, with what is known of each entry, and how much there is in all. */
export function listEntries(ground: ThreadGround, query: ListQuery, course: Course<Listed>): ListSummary {
  const directory = holdDirectory(ground, '');
  const { names, isComplete } = readNames(directory, { ground, query, course });
  const describeAll = query.totals || needsFacts(query.sortBy);
  const described = describeAll ? withFacts(directory, names, course) : names;
  const page = sortEntries(described, query.sortBy, ({ name }) => name).slice(query.offset, query.offset + query.limit);
  const shown = describeAll ? page : withFacts(directory, page, course);
  for (const entry of shown) course.found(entry.type === 'symlink' ? withTarget(directory, entry, ground) : entry);
  const files = described.filter(({ type }) => type !== 'directory');
  return {
    total: described.length,
    files: files.length,
    directories: described.length - files.length,
    bytes: files.reduce((sum, { size = 0 }) => sum + size, 0),
    isComplete: isComplete && !course.lookUp(),
  };
}

interface Listing {
  readonly ground: ThreadGround;
  readonly query: ListQuery;
  readonly course: Course<Listed>;
}

function readNames(directory: HeldDirectory, listing: Listing): { readonly names: Listed[]; readonly isComplete: boolean } {
  const { query, course } = listing;
  const isLeftOut = leavesOut(directory, listing);
  const names: Listed[] = [];
  const reader = fs.opendirSync(directory.way, { bufferSize: BUFFERED });
  try {
    for (let entry = reader.readSync(); entry !== null; entry = reader.readSync()) {
      if (course.isOver || course.scanned === query.maxScanned) return { names, isComplete: false };
      course.scanned += 1;
      const listed = { name: entry.name, type: entryTypeOf(entry) };
      if (!isLeftOut(listed)) names.push(listed);
    }
  } finally {
    reader.closeSync();
  }
  return { names, isComplete: true };
}

function leavesOut(directory: HeldDirectory, { ground, query }: Listing): (entry: Listed) => boolean {
  const isDenied = walkDenials(ground.denials)(directory.real);
  const matches = query.matches === undefined ? undefined : matcherOf(query.matches);
  const rules = query.ignored && IgnoreRules.in(directory, '', IgnoreRules.above(query.ignored));
  return ({ name, type }) =>
    (!query.hidden && name.startsWith('.')) ||
    isDenied(name) ||
    matches?.(name) === false ||
    rules?.ignores(name, type === 'directory') === true;
}

/** What vanished meanwhile is left out; so is what comes after the time was over. */
function withFacts(directory: HeldDirectory, entries: readonly Listed[], course: Course<Listed>): Listed[] {
  const described: Listed[] = [];
  for (const { name } of entries) {
    if (course.isOver) break;
    const facts = fs.lstatSync(`${directory.way}/${name}`, { throwIfNoEntry: false });
    if (facts === undefined) continue;
    const type = entryTypeOf(facts);
    described.push({ name, type, mtimeMs: facts.mtimeMs, ...(type === 'file' && { size: facts.size }) });
  }
  return described;
}

/** What a link says is told where it leads into the directories that the call may see. */
function withTarget(directory: HeldDirectory, entry: Listed, { directories }: ThreadGround): Listed {
  try {
    const target = fs.readlinkSync(`${directory.way}/${entry.name}`);
    const absolute = path.resolve(directory.real, target);
    const isInside = directories.some((root) => isBelow(root.path, absolute) || isBelow(root.realPath, absolute));
    return isInside ? { ...entry, target } : entry;
  } catch {
    return entry;
  }
}

function isBelow(directory: string, absolute: string): boolean {
  const relative = path.relative(directory, absolute);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
