import type { Roots } from '@org/mcp-roots';

import type { FilesystemOptions } from './options/filesystem-options.ts';
import type { ThreadPool } from './walk/thread-pool.ts';
import type { Changes } from './write/changes.ts';

/** How much an operation may return or look at. */
export type Limits = Readonly<
  Pick<
    FilesystemOptions,
    | 'maxReadBytes'
    | 'maxTotalBytes'
    | 'maxFiles'
    | 'maxMediaBytes'
    | 'maxHashBytes'
    | 'maxEntries'
    | 'maxMatches'
    | 'maxScanned'
    | 'maxEditBytes'
    | 'maxTreeEntries'
    | 'maxReplaceFiles'
    | 'maxReplaceBytes'
    | 'maxReplacements'
    | 'maxSearchMs'
    | 'maxSearchBytes'
  >
>;

/** What is left out of lists and searches that do not say it themselves. */
export type Habits = Readonly<Pick<FilesystemOptions, 'hidden' | 'gitignore'>>;

/** What operations work on: the files inside the roots of one call. */
export interface Files {
  readonly roots: Roots;
  readonly limits: Limits;
  readonly changes: Changes;
  readonly habits: Habits;
  /** Where directories are walked and files searched. */
  readonly threads: ThreadPool;
}
