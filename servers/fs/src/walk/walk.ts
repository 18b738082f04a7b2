import { setImmediate } from 'node:timers/promises';

import type { OpenDirectory } from '@org/mcp-roots';

import { entryTypeOf, type EntryType } from '../entry-type.ts';

/** One entry of a walk. */
export interface Walked {
  readonly type: EntryType;
  /** Relative to where the walk began, with `/` between its parts. */
  readonly relative: string;
}

/** How a tree is walked. */
export interface WalkOptions {
  readonly signal: AbortSignal;
  /** A directory is not entered, and nothing in it seen, if its relative path is left out. */
  readonly excludes: (relative: string) => boolean;
  /** Told of each directory below the first that cannot be read. */
  readonly onUnreadable: () => void;
}

/** Longer than this a walk does not keep other requests waiting. */
const SLICE_MS = 10;

/**
 * Everything below a directory that is not denied, breadth first and in order of names; links are shown and never followed, so a walk stays
 * where it began. Rejects if the first directory cannot be read.
 */
export async function* walk(root: OpenDirectory, options: WalkOptions): AsyncGenerator<Walked> {
  const slice = new Slice(options.signal);
  let level = [''];
  while (level.length > 0) {
    const next: string[] = [];
    for await (const walked of walkLevel(root, level, slice, options)) {
      yield walked;
      if (walked.type === 'directory') next.push(walked.relative);
    }
    level = next;
  }
}

async function* walkLevel(
  root: OpenDirectory,
  level: readonly string[],
  slice: Slice,
  options: WalkOptions,
): AsyncGenerator<Walked> {
  for (const relative of level) {
    for (const { name, type } of await entriesOf(root, relative, slice, options)) {
      await slice.pause();
      const child = relative === '' ? name : `${relative}/${name}`;
      if (!options.excludes(child)) yield { type, relative: child };
    }
  }
}

interface Named {
  readonly name: string;
  readonly type: EntryType;
}

async function entriesOf(
  root: OpenDirectory,
  relative: string,
  slice: Slice,
  { onUnreadable }: WalkOptions,
): Promise<readonly Named[]> {
  if (relative === '') return readEntries(root, slice);
  try {
    await using directory = await root.openDirectory(relative);
    return await readEntries(directory, slice);
  } catch (error) {
    if (slice.ended) throw error;
    onUnreadable();
    return [];
  }
}

async function readEntries(directory: OpenDirectory, slice: Slice): Promise<readonly Named[]> {
  const entries: Named[] = [];
  for await (const entry of directory.entries()) {
    if (!directory.isDenied(entry.name)) entries.push({ name: entry.name, type: entryTypeOf(entry) });
    await slice.pause();
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Lets other requests run, and sees that the walk was cancelled, every few milliseconds. */
class Slice {
  readonly #signal: AbortSignal;
  #began = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get ended(): boolean {
    return this.#signal.aborted;
  }

  async pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE_MS) return;
    await setImmediate();
    this.#signal.throwIfAborted();
    this.#began = performance.now();
  }
}
