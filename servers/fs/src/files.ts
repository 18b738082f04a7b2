import type { Roots } from '@org/mcp-roots';

import { roomInResult } from '@org/mcp-host';

import type { FilesystemOptions } from './options/filesystem-options.ts';
import type { ThreadPool } from './walk/thread-pool.ts';
import type { Changes } from './write/changes.ts';

/** How much an operation may return or look at. */
export type Limits = Readonly<
  Pick<
    FilesystemOptions,
    | 'maxBytes'
    | 'maxResourceBytes'
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
  >
>;

/** What is left out of lists and searches that do not say it themselves. */
export type Habits = Readonly<Pick<FilesystemOptions, 'hidden' | 'gitignore'>>;

/** What operations work on: the files inside the roots of one call. */
export interface Files {
  /** Opens what a path leads to, and finds where content may go. */
  readonly roots: Roots;
  /** Ceilings of the operator's; what a call asks for is lowered to them. */
  readonly limits: Limits;
  readonly habits: Habits;
  /** Locks and the journal, for the tools of this package: a tool of another one changes files by calling theirs. */
  readonly changes: Changes;
  /** Where the tools of this package walk through directories and search in files. */
  readonly threads: ThreadPool;
}

/** The files for a resource or a prompt, which has no pages: `maxResourceBytes` bounds what is found in them. */
export function asResource({ roots, limits, habits, changes, threads }: Files): Files {
  return { roots, limits: { ...limits, maxBytes: limits.maxResourceBytes }, habits, changes, threads };
}

/** Limits of a call: `maxBytes` is what the notes leave for a body or the items of a page. */
export function ofCall(limits: Limits): Limits {
  return { ...limits, maxBytes: roomInResult(limits.maxBytes) };
}
