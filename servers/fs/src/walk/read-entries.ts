import fs, { type Dirent } from 'node:fs';

import { entryTypeOf, type EntryType } from '../entry-type.ts';
import type { Pace } from './course.ts';
import type { HeldDirectory } from './held-directory.ts';
import type { IsOwn } from './own-in.ts';
import { mergeSorted } from './merge-sorted.ts';

/** Bytes of a directory with some ten thousand names: what is larger is not read by one call, which nothing could end. */
const LARGE = 1_048_576;
const RULES = '.gitignore';
/** Names that are read at a time. */
const BUFFERED = 1024;

/** Names that are put in order at a time, and then joined: quicker than all at once, and it can be ended. */
const RUN = 16_384;

/** A name in a directory, and what it stands for. */
export interface NamedEntry {
  readonly name: string;
  readonly type: EntryType;
}

/**
 * What is in a directory, in order of names; not all of it where the course is over before, or `most` have been read.
 *
 * @param isOwn of what is no directory, only this is wanted, and the rules that hold for all; the rest is counted as looked at
 */
export function readEntries(
  directory: HeldDirectory,
  course: Pace,
  most: number,
  isOwn: IsOwn | undefined,
): Iterable<NamedEntry> {
  const isWanted = ({ name, type }: NamedEntry): boolean =>
    isOwn === undefined || type === 'directory' || name === RULES || isOwn(name);
  if (fs.statSync(directory.way).size < LARGE) {
    const read = fs.readdirSync(directory.way, { withFileTypes: true }).map(namedEntry);
    const wanted = read.filter(isWanted);
    course.scanned += read.length - wanted.length;
    return wanted.sort(byName);
  }
  const runs: NamedEntry[][] = [];
  let run: NamedEntry[] = [];
  for (const entry of readOneByOne(directory, course, most)) {
    if (!isWanted(entry)) {
      course.scanned += 1;
      continue;
    }
    if (run.push(entry) < RUN) continue;
    runs.push(run.sort(byName));
    run = [];
  }
  return mergeSorted([...runs, run.sort(byName)], (one, other) => byName(one, other) < 0);
}

/** What is in a directory as it comes, in memory for a few names; ends where the course is over, or `most` have been read. */
export function* readOneByOne(directory: HeldDirectory, course: Pace, most: number): Generator<NamedEntry> {
  const reader = fs.opendirSync(directory.way, { bufferSize: BUFFERED });
  try {
    let left = most;
    for (let entry = reader.readSync(); entry !== null && left > 0 && !course.isOver; entry = reader.readSync(), left -= 1)
      yield namedEntry(entry);
  } finally {
    reader.closeSync();
  }
}

function namedEntry(entry: Dirent): NamedEntry {
  return { name: entry.name, type: entryTypeOf(entry) };
}

function byName(one: NamedEntry, other: NamedEntry): number {
  return one.name < other.name ? -1 : 1;
}
