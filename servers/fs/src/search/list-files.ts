import type { WorkerScope } from '@org/mcp-roots';

import { compileExcluder } from '../walk/globs.ts';
import type { JobControl } from '../walk/job-control.ts';
import { isBefore, walk, type LeftOut, type Walked, type WalkScope, type WalkSummary } from '../walk/walk.ts';

export interface FilesQuery {
  readonly scope: WalkScope;
  /** Globs of the listed files; empty for all files. */
  readonly include: readonly string[];
  /** Path of the first listed file; `undefined` if the list begins with the first file of the walk. */
  readonly from: string | undefined;
}

/** Files of one directory. */
export interface DirectoryFiles {
  /** Path of the directory, relative to the start of the walk. */
  readonly relative: string;
  /** The names, separated by `/`, which no name contains. One text is sent between threads faster than an array. */
  readonly names: string;
}

/** Files that are searched together, in the order of the walk. */
export interface FileBatch {
  readonly directories: readonly DirectoryFiles[];
  /** Counts of what the walk left out from its start to the end of this batch. */
  readonly leftOut: LeftOut;
}

/**
 * Minimum number of files of a batch. The first batches are small, so that all threads have work in a small tree. Later batches
 * have a quarter of the number of files before them, at most {@link MAX_BATCH}, so that a large tree has few batches.
 */
const MIN_BATCH = 32;
const MAX_BATCH = 2048;
const SHARE = 4;

/** Lists the files below a directory in batches, in the order of the walk. */
export function listFiles(workerScope: WorkerScope, query: FilesQuery, control: JobControl<FileBatch>): WalkSummary {
  const { scope, include, from } = query;
  const isIncluded = include.length === 0 ? undefined : compileExcluder(include);
  const batches = new Batches(control);
  const summary = walk(workerScope, scope, control, ({ type, name, relative, above }, leftOut) => {
    const isListed =
      type === 'file' && (from === undefined || !isBefore(relative, from)) && isIncluded?.(relative, name) !== false;
    if (isListed) batches.add({ above, name }, leftOut);
    return true;
  });
  batches.flush(summary);
  return summary;
}

class Batches {
  readonly #control: JobControl<FileBatch>;
  #directories: { relative: string; names: string }[] = [];
  #size = 0;
  #before = 0;

  constructor(control: JobControl<FileBatch>) {
    this.#control = control;
  }

  add({ above, name }: Pick<Walked, 'above' | 'name'>, leftOut: LeftOut): void {
    const directory = this.#directories.at(-1);
    if (directory?.relative === above) directory.names += `/${name}`;
    else this.#directories.push({ relative: above, names: name });
    this.#size += 1;
    if (this.#size >= Math.max(MIN_BATCH, Math.min(MAX_BATCH, this.#before / SHARE))) this.flush(leftOut);
  }

  flush({ unreadable, ignored }: LeftOut): void {
    if (this.#size === 0) return;
    this.#control.found({ directories: this.#directories, leftOut: { unreadable, ignored } });
    this.#control.flush();
    this.#before += this.#size;
    this.#directories = [];
    this.#size = 0;
  }
}
