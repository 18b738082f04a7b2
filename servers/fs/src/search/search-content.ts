import fs from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';
import type { GlobMatcher } from '@org/mcp-roots/threads';

import { errorCode } from '../storage/error-code.ts';
import { compileExcluder } from '../walk/globs.ts';
import type { JobControl } from '../walk/job-control.ts';
import type { OpenedFile } from '../walk/walk-directory.ts';
import { isBefore, walk, type Walked, type WalkScope, type WalkSummary } from '../walk/walk.ts';
import { compilePattern, type PatternQuery } from './pattern.ts';
import { scanFile, type LineMatch, type Scanned, type ScanOptions } from './scan-file.ts';

export interface ContentQuery extends PatternQuery {
  readonly scope: WalkScope;
  readonly include: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly mode: 'content' | 'files' | 'count';
  /** Maximum number of lines, or of files if `mode` is not `content`. */
  readonly limit: number;
  readonly resume: Resume | undefined;
}

/** The start of a page of matches. */
export interface Resume {
  readonly path: string;
  /** Number of matching lines of this file on earlier pages. */
  readonly skip: number;
}

/** Value of `skip` for a file whose matching lines are all on earlier pages. */
const ALL_LINES: number = Number.MAX_SAFE_INTEGER;

/** A file with matches. */
export interface MatchedFile {
  readonly relative: string;
  /** Number of matching lines found so far, including the lines on earlier pages. */
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

/**
 * Maximum number of attempts to search a file that is replaced while it is read. Programs save files by replacing them. If a program
 * replaces a file all the time, about every second attempt fails; 8 attempts were not always enough on a busy machine.
 */
const ATTEMPTS = 64;

/** Searches files below a directory in the order of the walk, up to the limit. */
export function searchContent(workerScope: WorkerScope, query: ContentQuery, control: JobControl<MatchedFile>): ContentSummary {
  const search = new ContentSearch(query, control);
  const summary = walk(workerScope, query.scope, control, (entry) => search.visit(entry));
  const { files, bytes, binary, tooLarge } = search;
  return {
    ...summary,
    // All parts walk the same directories, so only the first part counts unreadable ones.
    unreadable: (query.scope.part?.index === 0 ? summary.unreadable : 0) + search.unreadable,
    files,
    bytes,
    binary,
    tooLarge,
    resume: summary.end === 'limit' || summary.end === 'time' ? search.resume : undefined,
  };
}

class ContentSearch {
  readonly #query: ContentQuery;
  readonly #control: JobControl<MatchedFile>;
  readonly #includes: GlobMatcher | undefined;
  readonly #options: ScanOptions;
  #left: number;
  #current: FileSearch = { skip: 0, count: 0, lines: [], hasEnough: false, opened: undefined };
  resume: Resume | undefined;
  files = 0;
  bytes = 0;
  binary = 0;
  tooLarge = 0;
  unreadable = 0;

  constructor(query: ContentQuery, control: JobControl<MatchedFile>) {
    const { before, after, multiline, include } = query;
    this.#query = query;
    this.#control = control;
    control.progress = 0;
    this.#left = query.limit;
    this.resume = query.resume;
    this.#includes = include.length === 0 ? undefined : compileExcluder(include);
    this.#options = {
      pattern: compilePattern(query),
      before,
      after,
      whole: multiline,
      isOver: () => control.checkNow(),
      onLine: (describe) => this.#take(describe),
    };
  }

  visit(entry: Walked): boolean {
    const { type, relative, name } = entry;
    if (type !== 'file') return true;
    const skip = this.#countKnown(relative);
    if (skip === undefined) return true;
    const isWanted = skip !== ALL_LINES && this.#includes?.(relative, name) !== false;
    if (isWanted && !this.#search(entry, skip)) return false;
    this.resume = { path: relative, skip: ALL_LINES };
    return true;
  }

  /** Returns the number of matching lines of a file on earlier pages, or `undefined` for a file before the start of the page. */
  #countKnown(relative: string): number | undefined {
    const { resume } = this.#query;
    if (resume === undefined) return 0;
    if (resume.path === relative) return resume.skip;
    return isBefore(relative, resume.path) ? undefined : 0;
  }

  /** Searches a file. Returns whether to continue with the next file; if not, sets `resume`. */
  #search(entry: Walked, skip: number): boolean {
    const { mode } = this.#query;
    const current: FileSearch = { skip, count: 0, lines: [], hasEnough: false, opened: undefined };
    this.#current = current;
    const scanned = this.#scan(entry);
    if (scanned === undefined || scanned.outcome === 'binary') return true;
    const known = current.hasEnough ? current.count - 1 : current.count;
    if (known > skip) this.#found({ relative: entry.relative, count: known, lines: current.lines });
    if (!current.hasEnough && (scanned.outcome !== 'ended' || !this.#control.checkNow())) return true;
    this.resume = { path: entry.relative, skip: mode === 'files' && known > skip ? ALL_LINES : known };
    return false;
  }

  /** Records a matching line. Returns whether to continue in the file. */
  #take(describe: () => LineMatch): boolean {
    const { mode } = this.#query;
    const current = this.#current;
    // Verified once, and only for a file with a match to report.
    current.opened?.verifiedSize();
    current.opened = undefined;
    current.count += 1;
    if (current.count <= current.skip) return true;
    current.hasEnough = this.#left === 0;
    if (current.hasEnough) return false;
    if (mode === 'content') {
      current.lines.push(describe());
      this.#left -= 1;
    }
    return mode !== 'files' && !this.#control.isOver;
  }

  #found(file: MatchedFile): void {
    if (this.#query.mode !== 'content') this.#left -= 1;
    this.#control.found(file);
  }

  #scan(entry: Walked): Scanned | undefined {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#scanOnce(entry);
      } catch (error) {
        const code = errorCode(error);
        if (code === undefined) throw error;
        const wasReplaced = code === 'ENOENT' && this.#current.count === 0;
        if (wasReplaced && attempt < ATTEMPTS && !this.#control.isOver) continue;
        this.unreadable += 1;
        return undefined;
      }
    }
  }

  #scanOnce({ directory, name }: Walked): Scanned {
    const file = directory.openFile(name);
    try {
      this.#current.opened = file;
      const scanned = scanFile(file, this.#options);
      this.#count(scanned);
      return scanned;
    } finally {
      fs.closeSync(file.descriptor);
    }
  }

  #count({ outcome, bytes }: Scanned): void {
    this.files += 1;
    this.#control.progress = this.files;
    this.bytes += bytes;
    if (outcome === 'binary') this.binary += 1;
    if (outcome === 'too large') this.tooLarge += 1;
  }
}

/** The progress of the search of one file. */
interface FileSearch {
  /** Number of matching lines on earlier pages. */
  readonly skip: number;
  readonly lines: LineMatch[];
  count: number;
  /** Whether one more match was found than the limit allows. */
  hasEnough: boolean;
  /** The opened file; `undefined` after the file was verified. */
  opened: OpenedFile | undefined;
}
