import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** One entry of a walk. */
export interface Walked {
  readonly entry: Dirent;
  /** Relative to where the walk began, with `/` between its parts. */
  readonly relative: string;
}

/** How a tree is walked. */
export interface WalkOptions {
  readonly signal: AbortSignal;
  /** A directory is not entered, and nothing in it seen, if its relative path is left out. */
  readonly excludes: (relative: string) => boolean;
}

/**
 * Everything below a real directory, breadth first; links are shown and never followed, so a walk stays where it began.
 * Directories that cannot be read are passed over.
 */
export async function* walk(root: string, { signal, excludes }: WalkOptions): AsyncGenerator<Walked> {
  const pending = [''];
  for (let relative = pending.shift(); relative !== undefined; relative = pending.shift()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(path.join(root, relative))) {
      const child = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (excludes(child)) continue;
      yield { entry, relative: child };
      if (entry.isDirectory()) pending.push(child);
    }
  }
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
