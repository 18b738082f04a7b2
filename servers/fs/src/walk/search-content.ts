import fs from 'node:fs';

import type { ThreadGround } from '@org/mcp-roots';
import type { GlobMatcher } from '@org/mcp-roots/threads';

import { errorCode } from '../error-code.ts';
import type { Course } from './course.ts';
import { excluderOf } from './globs.ts';
import type { OpenedFile } from './held-directory.ts';
import { ALL_LINES, type ContentQuery, type ContentSummary, type LineMatch, type MatchedFile, type Resume } from './job.ts';
import { compilePattern } from './pattern.ts';
import { scanFile, type ScanOptions, type Scanned } from './scan-file.ts';
import { isBefore, walk, type Walked } from './walk.ts';

/** Maximum number of attempts to search a file that is replaced while it is read. Programs save files by replacing them. */
const ATTEMPTS = 8;

/** Searches the files below a directory, in the order of the walk, until so much was found as is wanted. */
export function searchContent(ground: ThreadGround, query: ContentQuery, course: Course<MatchedFile>): ContentSummary {
  const search = new ContentSearch(query, course);
  const summary = walk(ground, query.scope, course, (entry) => search.visit(entry));
  const { files, bytes, binary, tooLarge } = search;
  return {
    ...summary,
    // All parts walk the same directories.
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
  readonly #course: Course<MatchedFile>;
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

  constructor(query: ContentQuery, course: Course<MatchedFile>) {
    const { before, after, multiline, include } = query;
    this.#query = query;
    this.#course = course;
    course.progress = 0;
    this.#left = query.limit;
    this.resume = query.resume;
    this.#includes = include.length === 0 ? undefined : excluderOf(include);
    this.#options = {
      pattern: compilePattern(query),
      before,
      after,
      whole: multiline,
      isOver: () => course.lookUp(),
      onLine: (describe) => this.#take(describe),
    };
  }

  visit(entry: Walked): boolean {
    const { type, relative, name } = entry;
    if (type !== 'file') return true;
    const skip = this.#known(relative);
    if (skip === undefined) return true;
    const isWanted = skip !== ALL_LINES && this.#includes?.(relative, name) !== false;
    if (isWanted && !this.#search(entry, skip)) return false;
    this.resume = { path: relative, skip: ALL_LINES };
    return true;
  }

  /** How many lines of a file are known; `undefined`: it comes before where the search begins. */
  #known(relative: string): number | undefined {
    const { resume } = this.#query;
    if (resume === undefined) return 0;
    if (resume.path === relative) return resume.skip;
    return isBefore(relative, resume.path) ? undefined : 0;
  }

  /** Whether to go on; if not, it is known where. */
  #search(entry: Walked, skip: number): boolean {
    const { mode } = this.#query;
    const current: FileSearch = { skip, count: 0, lines: [], hasEnough: false, opened: undefined };
    this.#current = current;
    const scanned = this.#scan(entry);
    if (scanned === undefined || scanned.outcome === 'binary') return true;
    const known = current.hasEnough ? current.count - 1 : current.count;
    if (known > skip) this.#found({ relative: entry.relative, count: known, lines: current.lines });
    if (!current.hasEnough && (scanned.outcome !== 'ended' || !this.#course.lookUp())) return true;
    this.resume = { path: entry.relative, skip: mode === 'files' && known > skip ? ALL_LINES : known };
    return false;
  }

  /** Whether more lines of the file are wanted. */
  #take(describe: () => LineMatch): boolean {
    const { mode } = this.#query;
    const current = this.#current;
    // Verified once, and only where there is something to tell of it.
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
    return mode !== 'files' && !this.#course.isOver;
  }

  #found(file: MatchedFile): void {
    if (this.#query.mode !== 'content') this.#left -= 1;
    this.#course.found(file);
  }

  #scan(entry: Walked): Scanned | undefined {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#scanOnce(entry);
      } catch (error) {
        const code = errorCode(error);
        if (code === undefined) throw error;
        const wasReplaced = code === 'ENOENT' && this.#current.count === 0;
        if (wasReplaced && attempt < ATTEMPTS && !this.#course.isOver) continue;
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
    this.#course.progress = this.files;
    this.bytes += bytes;
    if (outcome === 'binary') this.binary += 1;
    if (outcome === 'too large') this.tooLarge += 1;
  }
}

/** What is known of a file while it is searched. */
interface FileSearch {
  /** Lines that were told of before. */
  readonly skip: number;
  readonly lines: LineMatch[];
  count: number;
  /** One line more was found than is wanted. */
  hasEnough: boolean;
  /** The file, until it is verified. */
  opened: OpenedFile | undefined;
}
