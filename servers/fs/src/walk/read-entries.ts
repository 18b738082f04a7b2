import fs from 'node:fs';
import type { Dirent } from 'node:fs';

import { toEntryType, type EntryType } from '../storage/entry-type.ts';
import type { Deadline } from './job-control.ts';
import type { WalkDirectory } from './walk-directory.ts';

/**
 * Size in bytes from which on a directory is read in steps, so that the walk can stop. Such a directory usually has many
 * thousand names.
 */
const LARGE = 1_048_576;
/** Number of names per read. */
const BUFFERED = 1024;

/** Number of names per sorted run. Merging runs is faster than one sort and can be stopped. */
const RUN = 16_384;

/** A directory entry. */
export interface NamedEntry {
  readonly name: string;
  readonly type: EntryType;
}

/**
 * Reads the entries of a directory, sorted by name. In a large directory ({@link LARGE}), stops when the deadline is over or
 * `limit` entries have been read.
 */
export function readEntries(directory: WalkDirectory, control: Deadline, limit: number): Iterable<NamedEntry> {
  if (directory.size < LARGE) return fs.readdirSync(directory.way, { withFileTypes: true }).map(toNamedEntry).sort(compareNames);
  const runs: NamedEntry[][] = [];
  let run: NamedEntry[] = [];
  for (const entry of readOneByOne(directory, control, limit)) {
    if (run.push(entry) < RUN) continue;
    runs.push(run.sort(compareNames));
    run = [];
  }
  return mergeSorted([...runs, run.sort(compareNames)], (one, other) => compareNames(one, other) < 0);
}

/**
 * Yields the entries of a directory unsorted, in little memory. Stops when the deadline is over or `limit` entries have been
 * read.
 */
export function* readOneByOne(directory: WalkDirectory, control: Deadline, limit: number): Generator<NamedEntry> {
  const reader = fs.opendirSync(directory.way, { bufferSize: BUFFERED });
  try {
    let left = limit;
    for (let entry = reader.readSync(); entry !== null && left > 0 && !control.isOver; entry = reader.readSync(), left -= 1)
      yield toNamedEntry(entry);
  } finally {
    reader.closeSync();
  }
}

function toNamedEntry(entry: Dirent): NamedEntry {
  return { name: entry.name, type: toEntryType(entry) };
}

function compareNames(one: NamedEntry, other: NamedEntry): number {
  return one.name < other.name ? -1 : 1;
}

/** Merges sorted lists lazily. */
export function mergeSorted<Item>(
  lists: readonly (readonly Item[])[],
  isBefore: (one: Item, other: Item) => boolean,
): Iterable<Item> {
  const [only = []] = lists;
  if (lists.length <= 1) return only;
  const middle = lists.length >> 1;
  return mergeTwo(mergeSorted(lists.slice(0, middle), isBefore), mergeSorted(lists.slice(middle), isBefore), isBefore);
}

function* mergeTwo<Item>(
  ones: Iterable<Item>,
  others: Iterable<Item>,
  isBefore: (one: Item, other: Item) => boolean,
): Generator<Item> {
  const [left, right] = [ones[Symbol.iterator](), others[Symbol.iterator]()];
  let [one, other] = [left.next(), right.next()];
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && isBefore(one.value, other.value))) {
      if (one.done !== true) yield one.value;
      one = left.next();
    } else {
      yield other.value;
      other = right.next();
    }
  }
}
