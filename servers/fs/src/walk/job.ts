import type { ThreadGround } from '@org/mcp-roots';

import type { EntryType } from '../entry-type.ts';
import type { ClosestRegion } from '../write/edits/closest-region.ts';

/** What a walk leaves out, and how far it goes. */
export interface WalkScope {
  /** Globs on the relative path; a directory that matches one is not entered. */
  readonly excludePatterns: readonly string[];
  /** Whether names that begin with a dot count. */
  readonly hidden: boolean;
  /** Whether rules of `.gitignore` files count, and `.git` is left out. */
  readonly gitignore: boolean;
  /** Rules of directories above the first, from the outermost. */
  readonly ignoredAbove: readonly IgnoreFile[];
  /** Entries to look at. */
  readonly maxScanned: number;
  /** Levels of directories to read; the first is 1. */
  readonly maxDepth: number;
  /** Of what is no directory only this share, where several threads walk. */
  readonly part?: Part;
}

/** The content of a `.gitignore` file, and the names that lead from its directory to that of the walk. */
export interface IgnoreFile {
  readonly below: string;
  readonly text: string;
}

/** Why a walk ended: it was through, had enough, had looked at as much as it may, or had no time left. */
export type WalkEnd = 'complete' | 'limit' | 'scanned' | 'time';

export interface WalkSummary {
  readonly end: WalkEnd;
  /** Entries looked at. */
  readonly scanned: number;
  /** Directories and files that could not be read. */
  readonly unreadable: number;
}

export const SORT_KEYS = ['name', 'size', 'mtime', 'type'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface ListQuery {
  readonly matches: string | undefined;
  readonly hidden: boolean;
  readonly ignored: readonly IgnoreFile[] | undefined;
  readonly sortBy: SortKey;
  readonly offset: number;
  readonly limit: number;
  readonly maxScanned: number;
  /** Whether the sizes of all that is there are added up. */
  readonly totals: boolean;
}

/** A name with what is known of it. */
export interface Listed {
  readonly name: string;
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
  readonly target?: string;
}

export interface ListSummary {
  readonly total: number;
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  readonly isComplete: boolean;
}

export interface TreeQuery {
  readonly scope: WalkScope;
  readonly format: 'json' | 'compact';
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly after: string | undefined;
}

export interface TreeSummary extends WalkSummary {
  readonly text: string;
  readonly entries: number;
  /** The last entry that is in the tree, where another follows. */
  readonly last: string | undefined;
}

export interface NamesQuery {
  readonly scope: WalkScope;
  readonly pattern: string;
  readonly type: EntryType | undefined;
  readonly minSize: number | undefined;
  readonly maxSize: number | undefined;
  readonly modifiedAfterMs: number | undefined;
  readonly sortBy: SortKey | undefined;
  readonly limit: number;
  /** Of what is sorted, how many to leave out. */
  readonly offset: number;
  /** Of what comes in the order of the walk, the last one that is known. */
  readonly after: string | undefined;
}

/** A name that was found. */
export interface FoundName {
  readonly relative: string;
  readonly type: EntryType;
  readonly size?: number;
  readonly mtimeMs?: number;
}

export interface ContentQuery {
  readonly scope: WalkScope;
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly include: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly mode: 'content' | 'files' | 'count';
  /** Lines, or files where no lines are wanted. */
  readonly limit: number;
  readonly resume: Resume | undefined;
}

/** One of so many equal parts; the first is 0. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** Where a search goes on. */
export interface Resume {
  readonly path: string;
  /** Lines of that file that are known. */
  readonly skip: number;
}

/** A file of which all lines are known. */
export const ALL_LINES: number = Number.MAX_SAFE_INTEGER;

export interface LineMatch {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** A file with matches. */
export interface MatchedFile {
  readonly relative: string;
  /** Lines that match, as far as they were looked at. */
  readonly count: number;
  readonly lines: readonly LineMatch[];
}

export interface ContentSummary extends WalkSummary {
  readonly files: number;
  readonly bytes: number;
  readonly binary: number;
  readonly tooLarge: number;
  readonly resume: Resume | undefined;
}

export interface ReplacementQuery {
  readonly wanted: Pick<ContentQuery, 'pattern' | 'regex' | 'caseSensitive' | 'word'>;
  /** Stands for itself, or, where `regex` is set, may name groups. */
  readonly replacement: string;
  /** With line ends written as `\n`. */
  readonly texts: readonly string[];
  /** Matches in all texts. */
  readonly maxMatches: number;
  /** Characters that come into all of them. */
  readonly maxCharacters: number;
}

/** A match, and what is to come in its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** What is to be replaced in one of the texts. */
export interface TextReplacements {
  readonly text: number;
  readonly replacements: readonly Replacement[];
}

export interface ReplacementSummary {
  /** `limit`: there are more matches, `size`: more characters would come in. */
  readonly end: 'complete' | 'limit' | 'size' | 'time';
}

/** A text that does not contain `oldText`. All line ends are `\n`. */
export interface ClosestQuery {
  readonly text: string;
  readonly oldText: string;
}

/** Contains the most similar region, if any is similar. */
export interface ClosestSummary {
  readonly region?: ClosestRegion;
}

/** What threads do: what is asked, what is found piece by piece, and what is said at the end. */
export interface Jobs {
  readonly list: { readonly query: ListQuery; readonly item: Listed; readonly summary: ListSummary };
  readonly tree: { readonly query: TreeQuery; readonly item: never; readonly summary: TreeSummary };
  readonly names: { readonly query: NamesQuery; readonly item: FoundName; readonly summary: WalkSummary };
  readonly content: { readonly query: ContentQuery; readonly item: MatchedFile; readonly summary: ContentSummary };
  readonly closest: { readonly query: ClosestQuery; readonly item: never; readonly summary: ClosestSummary };
  readonly replacements: {
    readonly query: ReplacementQuery;
    readonly item: TextReplacements;
    readonly summary: ReplacementSummary;
  };
}

export type JobKind = keyof Jobs;

/** What a thread is told. */
export interface Order<Kind extends JobKind = JobKind> {
  readonly kind: Kind;
  readonly query: Jobs[Kind]['query'];
  readonly ground: ThreadGround;
  /** Not 0 once the job is to stop. */
  readonly stop: Int32Array;
  readonly budgetMs: number;
}

/** What a thread tells. */
export type Report<Kind extends JobKind = JobKind> =
  | { readonly type: 'found'; readonly items: readonly Jobs[Kind]['item'][]; readonly scanned: number }
  | { readonly type: 'done'; readonly summary: Jobs[Kind]['summary'] }
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string };
