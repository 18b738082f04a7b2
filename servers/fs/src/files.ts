import type { Roots } from '@org/mcp-roots';

import type { FilesystemOptions } from './options/filesystem-options.ts';

/** How much an operation may return or look at. */
export type Limits = Readonly<Pick<FilesystemOptions, 'maxReadBytes' | 'maxEntries' | 'maxMatches' | 'maxScanned'>>;

/** What operations work on: the files inside the roots of one call. */
export interface Files {
  readonly roots: Roots;
  readonly limits: Limits;
}
