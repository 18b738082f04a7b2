import fs from 'node:fs';

import type { WorkerScope } from '@org/mcp-roots';

import { errorCode } from '../storage/error-code.ts';
import type { JobControl } from '../walk/job-control.ts';
import { openFileDirectory, type FileDirectory, type OpenedFile } from '../walk/walk-directory.ts';
import type { DirectoryFiles } from './list-files.ts';
import { compilePattern, type PatternQuery } from './pattern.ts';
import { scanFile, type LineMatch, type Scanned, type ScanOptions } from './scan-file.ts';

export interface ContentQuery extends PatternQuery {
  /** The searched files, in the order of the walk. */
  readonly directories: readonly DirectoryFiles[];
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

export interface ContentSummary {
  /** Why the search ended. `limit`: there are more matches than the limit. `time`: the call was cancelled or its time is over. */
  readonly end: 'complete' | 'limit' | 'time';
  /** Number of searched files. */
  readonly files: number;
  readonly binary: number;
  readonly tooLarge: number;
  readonly unreadable: number;
  /** Position up to which files were searched, where the next page starts; `undefined` if no file was searched. */
  readonly resume: Resume | undefined;
}

/**
 * Maximum number of attempts to search a file that is replaced while it is read. Many programs save a file by replacing it. If a
 * program replaces a file all the time, about every second attempt fails; 8 attempts were not always enough on a busy machine.
 */
const ATTEMPTS = 64;

/** Searches files, and reports the files with matches. Ends at the limit of matches or when the time is over. */
export function searchContent(workerScope: WorkerScope, query: ContentQuery, control: JobControl<MatchedFile>): ContentSummary {
  const search = new ContentSearch(query, control);
  let end: ContentSummary['end'] = 'complete';
  for (const files of query.directories) {
    if (end === 'complete') end = search.searchDirectory(workerScope, files);
  }
  const { files, binary, tooLarge, unreadable, resume } = search;
  return { end, files, binary, tooLarge, unreadable, resume };
}

interface SearchedFile {
  readonly directory: FileDirectory;
  readonly name: string;
  readonly relative: string;
}

class ContentSearch {
  readonly #query: ContentQuery;
  readonly #control: JobControl<MatchedFile>;
  readonly #options: ScanOptions;
  #left: number;
  #current: FileSearch = { skip: 0, count: 0, lines: [], hasEnough: false, opened: undefined };
  resume: Resume | undefined;
  files = 0;
  binary = 0;
  tooLarge = 0;
  unreadable = 0;

  constructor(query: ContentQuery, control: JobControl<MatchedFile>) {
    const { before, after, multiline } = query;
    this.#query = query;
    this.#control = control;
    control.progress = 0;
    this.#left = query.limit;
    this.#options = {
      pattern: compilePattern(query),
      before,
      after,
      whole: multiline,
      isOver: () => control.checkNow(),
      onLine: (describe) => this.#take(describe),
    };
  }

  /** Searches the files of a directory. Returns `complete`, or why the search must not continue with the next directory. */
  searchDirectory(workerScope: WorkerScope, { relative, names }: DirectoryFiles): ContentSummary['end'] {
    const list = names.split('/');
    const directory = this.#open(workerScope, relative);
    if (directory === undefined) {
      this.unreadable += list.length;
      return 'complete';
    }
    try {
      for (const name of list) {
        const end = this.#search({ directory, name, relative: relative === '' ? name : `${relative}/${name}` });
        if (end !== 'complete') return end;
      }
      return 'complete';
    } finally {
      directory.close();
    }
  }

  #open(workerScope: WorkerScope, relative: string): FileDirectory | undefined {
    try {
      return openFileDirectory(workerScope, relative);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Searches a file, and sets `resume`. Returns `complete`, or why the search must not continue with the next file. */
  #search(file: SearchedFile): ContentSummary['end'] {
    if (this.#control.isOver) return 'time';
    const { relative } = file;
    const skip = relative === this.#query.resume?.path ? this.#query.resume.skip : 0;
    const end = skip === ALL_LINES ? 'complete' : this.#searchFrom(file, skip);
    if (end === 'complete') this.resume = { path: relative, skip: ALL_LINES };
    return end;
  }

  #searchFrom(file: SearchedFile, skip: number): ContentSummary['end'] {
    const current: FileSearch = { skip, count: 0, lines: [], hasEnough: false, opened: undefined };
    this.#current = current;
    const scanned = this.#scan(file);
    if (scanned === undefined || scanned === 'binary') return 'complete';
    const known = countKnown(current);
    const hasNew = known > skip;
    if (hasNew) this.#found({ relative: file.relative, count: known, lines: current.lines });
    const isOver = scanned === 'ended' && this.#control.checkNow();
    if (!current.hasEnough && !isOver) return 'complete';
    this.resume = { path: file.relative, skip: hasNew && this.#query.mode === 'files' ? ALL_LINES : known };
    return isOver ? 'time' : 'limit';
  }

  /** Records a matching line. Returns whether to continue in the file. */
  #take(describe: () => LineMatch): boolean {
    const { mode } = this.#query;
    const current = this.#current;
    // The file is verified here, before its first match counts, so that no time is spent on verifying files without matches.
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

  #scan(file: SearchedFile): Scanned | undefined {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#scanOnce(file);
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

  #scanOnce({ directory, name }: SearchedFile): Scanned {
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

  #count(scanned: Scanned): void {
    this.files += 1;
    this.#control.progress = this.files;
    if (scanned === 'binary') this.binary += 1;
    if (scanned === 'too large') this.tooLarge += 1;
  }
}

/** Returns the number of matching lines that fit on this page or earlier ones. */
function countKnown({ count, hasEnough }: FileSearch): number {
  return hasEnough ? count - 1 : count;
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
