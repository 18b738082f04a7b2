import type { Roots } from '@org/mcp-roots';

import type { ChangeSupport } from '../change/change-support.ts';
import type { ConversionSlots } from '../conversion/conversion-slots.ts';
import type { DocumentCache } from '../documents/document-cache.ts';
import type { RewindCompanion } from '../rewind/companion.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';

/** The operator's limits. A call may request less, never more. */
export interface Limits {
  /** Maximum number of bytes of the body or the items of a result; the notes around them have additional bytes. */
  readonly maxBytes: number;
  readonly maxResourceBytes: number;
  readonly maxFiles: number;
  readonly maxMediaBytes: number;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
  readonly maxImageSide: number;
  readonly maxDocumentBytes: number;
  readonly maxDocumentTime: number;
  readonly maxHashBytes: number;
  readonly maxEntries: number;
  readonly maxMatches: number;
  readonly maxScanned: number;
  readonly maxEditBytes: number;
  readonly maxBinaryBytes: number;
  readonly maxRewindFiles: number;
  readonly maxArchiveEntries: number;
  readonly maxArchiveBytes: number;
  readonly maxArchiveRatio: number;
  readonly maxMergeBytes: number;
  readonly maxTreeEntries: number;
  readonly maxReplaceFiles: number;
  readonly maxReplaceBytes: number;
  readonly maxReplacements: number;
  readonly maxSearchTime: number;
}

/** Filters of lists, trees and searches whose input does not set the filter. */
export interface DefaultFilters {
  /** Whether names that begin with a dot are included. */
  readonly hidden: boolean;
  /** Calls that respect `.gitignore` files. `search`: searches and trees; `all`: also lists; `off`: no call. */
  readonly gitignore: 'search' | 'all' | 'off';
}

/** The files that one call may access: the argument of every tool function. */
export interface Files {
  /** Opens existing paths and resolves paths of new files. */
  readonly roots: Roots;
  readonly limits: Limits;
  readonly defaultFilters: DefaultFilters;
  /** Locks and the undo journal. Tools of other packages change files by calling the tools of this package. */
  readonly changes: ChangeSupport;
  /** Worker threads that list directories and search files. */
  readonly threads: ThreadPool;
  /** Limits conversions of images and documents. */
  readonly conversions: ConversionSlots;
  /** Texts of recently read documents. */
  readonly documents: DocumentCache;
  /** State beside the files that checkpoints record; absent unless a subclass provides it. */
  readonly companion?: RewindCompanion;
}

/** Returns the files for a resource or a prompt. `maxResourceBytes` replaces `maxBytes`, because a resource has no pages. */
export function withResourceLimits(files: Files): Files {
  return { ...files, limits: { ...files.limits, maxBytes: files.limits.maxResourceBytes } };
}
