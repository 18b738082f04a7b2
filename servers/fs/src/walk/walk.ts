import type { WorkerScope } from '@org/mcp-roots';
import { walkDenials, type GlobMatcher, type WalkDenials } from '@org/mcp-roots/threads';

import type { EntryType } from '../storage/entry-type.ts';
import { errorCode } from '../storage/error-code.ts';
import { compileExcluder } from './globs.ts';
import { IgnoreRules, type IgnoreFile } from './ignore-rules.ts';
import type { Deadline } from './job-control.ts';
import { readEntries, type NamedEntry } from './read-entries.ts';
import { openWalkDirectory, type WalkDirectory } from './walk-directory.ts';

/** The filters and limits of a walk. */
export interface WalkScope {
  /** Globs that exclude entries, matched against the relative path. A matching directory is not entered. */
  readonly excludePatterns: readonly string[];
  /** Whether names that begin with a dot are included. */
  readonly hidden: boolean;
  /** Whether `.gitignore` files are respected and `.git` is omitted. */
  readonly gitignore: boolean;
  /** `.gitignore` files above the walk, the outermost first. */
  readonly ignoredAbove: readonly IgnoreFile[];
  /** Maximum number of examined entries. */
  readonly maxScanned: number;
  /** Number of directory levels to read; 1 reads only the first directory. */
  readonly maxDepth: number;
}

/**
 * Why a walk ended. `complete`: no entries are left within `maxDepth` levels. `limit`: the visitor ended the walk. `scanned`:
 * `maxScanned` entries were examined. `time`: the call was cancelled or its time is over.
 */
export type WalkEnd = 'complete' | 'limit' | 'scanned' | 'time';

/** Counts of what a walk has left out so far. */
export interface LeftOut {
  /** Number of unreadable directories and files. */
  readonly unreadable: number;
  /** Number of files and directories that the rules of `.gitignore` files leave out. */
  readonly ignored: number;
}

export interface WalkSummary extends LeftOut {
  readonly end: WalkEnd;
  /** Number of examined entries. */
  readonly scanned: number;
}

/** One entry of a walk. */
export interface Walked {
  readonly name: string;
  readonly type: EntryType;
  /** Path relative to the start of the walk, with `/` separators. */
  readonly relative: string;
  /** Relative path of the directory that contains the entry. */
  readonly above: string;
  /** The directory that contains the entry; open only during the visit. */
  readonly directory: WalkDirectory;
}

/** Visits an entry. Returning `false` ends the walk. */
export type Visit = (entry: Walked, leftOut: LeftOut) => boolean;

interface Level {
  readonly relative: string;
  readonly rules: IgnoreRules | undefined;
}

/**
 * Visits all entries below a directory that pass the filters, breadth first and sorted by name, so that limits cut the deepest
 * entries. Links are visited but never followed. Throws if the first directory is unreadable; other unreadable directories are
 * counted.
 */
export function walk(workerScope: WorkerScope, scope: WalkScope, control: Deadline, visit: Visit): WalkSummary {
  const walker = new Walker(workerScope, scope, control, visit);
  const end = walker.run();
  return { end, scanned: control.scanned, unreadable: walker.unreadable, ignored: walker.ignored };
}

class Walker {
  readonly #workerScope: WorkerScope;
  readonly #scope: WalkScope;
  readonly #control: Deadline;
  readonly #visit: Visit;
  readonly #excludes: GlobMatcher | undefined;
  readonly #denials: WalkDenials;
  #end: WalkSummary['end'] = 'complete';
  unreadable = 0;
  ignored = 0;

  constructor(workerScope: WorkerScope, scope: WalkScope, control: Deadline, visit: Visit) {
    this.#workerScope = workerScope;
    this.#scope = scope;
    this.#control = control;
    this.#visit = visit;
    this.#excludes = scope.excludePatterns.length === 0 ? undefined : compileExcluder(scope.excludePatterns);
    this.#denials = walkDenials(workerScope.denials);
  }

  run(): WalkSummary['end'] {
    let level: readonly Level[] = [{ relative: '', rules: IgnoreRules.above(this.#scope.ignoredAbove) }];
    for (let depth = 1; level.length > 0 && depth <= this.#scope.maxDepth; depth += 1) {
      const next: Level[] = [];
      for (const directory of level) {
        if (!this.#enter(directory, next)) return this.#end;
      }
      level = next;
    }
    return this.#end;
  }

  #enter(level: Level, next: Level[]): boolean {
    let directory: WalkDirectory;
    let entries: Iterable<NamedEntry>;
    try {
      directory = openWalkDirectory(this.#workerScope, level.relative);
    } catch (error) {
      return this.#skip(level, error);
    }
    try {
      try {
        entries = readEntries(directory, this.#control, this.#scope.maxScanned - this.#control.scanned + 1);
      } catch (error) {
        return this.#skip(level, error);
      }
      return this.#visitAll({ directory, entries, level }, next);
    } finally {
      directory.close();
    }
  }

  #skip({ relative }: Level, error: unknown): boolean {
    if (relative === '' || errorCode(error) === undefined) throw error;
    this.unreadable += 1;
    return true;
  }

  #visitAll({ directory, entries, level }: EnteredDirectory, next: Level[]): boolean {
    const rules = this.#rulesIn({ directory, entries, level });
    const filters = { isDenied: this.#denials.inDirectory(directory.listed), rules };
    const before = withSlash(level.relative);
    for (const entry of entries) {
      if (!this.#mayContinue()) return false;
      const { name, type } = entry;
      const relative = before + name;
      if (this.#isSkipped(entry, relative, filters)) continue;
      this.#control.scanned += 1;
      if (!this.#visit({ name, type, relative, above: level.relative, directory }, this))
        return this.#stop(this.#control.checkNow() ? 'time' : 'limit');
      if (type === 'directory') next.push({ relative, rules });
    }
    return true;
  }

  #isSkipped({ name, type }: NamedEntry, relative: string, { isDenied, rules }: DirectoryFilters): boolean {
    if (this.#isFiltered(name, relative) || isDenied(name)) return true;
    if (rules?.ignores(relative, type === 'directory') !== true) return false;
    this.ignored += 1;
    return true;
  }

  #rulesIn({ directory, entries, level }: EnteredDirectory): IgnoreRules | undefined {
    const mayHaveRules = !Array.isArray(entries) || entries.some(({ name }: NamedEntry) => name === '.gitignore');
    return this.#scope.gitignore && mayHaveRules ? IgnoreRules.in(directory, level.relative, level.rules) : level.rules;
  }

  #isFiltered(name: string, relative: string): boolean {
    const { hidden, gitignore } = this.#scope;
    if (name.startsWith('.') && (!hidden || (gitignore && name === '.git'))) return true;
    return this.#excludes?.(relative, name) === true;
  }

  #mayContinue(): boolean {
    if (this.#control.isOver) return this.#stop('time');
    return this.#control.scanned < this.#scope.maxScanned || this.#stop('scanned');
  }

  #stop(end: WalkSummary['end']): false {
    this.#end = end;
    return false;
  }
}

function withSlash(relative: string): string {
  return relative === '' ? '' : `${relative}/`;
}

interface EnteredDirectory {
  readonly directory: WalkDirectory;
  readonly entries: Iterable<NamedEntry>;
  readonly level: Level;
}

/** The filters of one directory. */
interface DirectoryFilters {
  readonly isDenied: (name: string) => boolean;
  readonly rules: IgnoreRules | undefined;
}

/** Returns whether a walk visits one relative path before another. */
export function isBefore(one: string, other: string): boolean {
  const ours = one.split('/');
  const theirs = other.split('/');
  if (ours.length !== theirs.length) return ours.length < theirs.length;
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  return at !== -1 && (ours[at] ?? '') < (theirs[at] ?? '');
}
