import type { ThreadGround } from '@org/mcp-roots';
import { walkDenials, type GlobMatcher, type WalkDenials } from '@org/mcp-roots/threads';

import type { EntryType } from '../entry-type.ts';
import { errorCode } from '../error-code.ts';
import type { Pace } from './course.ts';
import { excluderOf } from './globs.ts';
import { holdDirectory, type HeldDirectory } from './held-directory.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { ownIn, type IsOwn } from './own-in.ts';
import type { WalkScope, WalkSummary } from './job.ts';
import { readEntries, type NamedEntry } from './read-entries.ts';

/** One entry of a walk. */
export interface Walked {
  readonly name: string;
  readonly type: EntryType;
  /** Relative to where the walk began, with `/` between its parts. */
  readonly relative: string;
  /** The relative path of what it is in. */
  readonly above: string;
  /** What it is in; open as long as the entry is visited. */
  readonly directory: HeldDirectory;
}

/** What is done with each entry; `false` ends the walk. */
export type Visit = (entry: Walked) => boolean;

interface Level {
  readonly relative: string;
  readonly rules: IgnoreRules | undefined;
}

/**
 * Visits everything below a directory that is not left out, breadth first and in order of names, so that what is cut off is what lies
 * deepest. Links are shown and never followed. Throws where the first directory cannot be read; others are counted.
 */
export function walk(ground: ThreadGround, scope: WalkScope, course: Pace, visit: Visit): WalkSummary {
  const walker = new Walker(ground, scope, course, visit);
  const end = walker.run();
  return { end, scanned: course.scanned, unreadable: walker.unreadable };
}

class Walker {
  readonly #ground: ThreadGround;
  readonly #scope: WalkScope;
  readonly #course: Pace;
  readonly #visit: Visit;
  readonly #excludes: GlobMatcher | undefined;
  readonly #denials: WalkDenials;
  #end: WalkSummary['end'] = 'complete';
  unreadable = 0;

  constructor(ground: ThreadGround, scope: WalkScope, course: Pace, visit: Visit) {
    this.#ground = ground;
    this.#scope = scope;
    this.#course = course;
    this.#visit = visit;
    this.#excludes = scope.excludePatterns.length === 0 ? undefined : excluderOf(scope.excludePatterns);
    this.#denials = walkDenials(ground.denials);
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
    let directory: HeldDirectory;
    let entries: Iterable<NamedEntry>;
    const isOwn = this.#scope.part && ownIn(level.relative, this.#scope.part);
    try {
      directory = holdDirectory(this.#ground, level.relative);
    } catch (error) {
      return this.#skip(level, error);
    }
    try {
      try {
        entries = readEntries(directory, this.#course, this.#scope.maxScanned - this.#course.scanned + 1, isOwn);
      } catch (error) {
        return this.#skip(level, error);
      }
      return this.#visitAll({ directory, entries, level, isOwn }, next);
    } finally {
      directory.close();
    }
  }

  #skip({ relative }: Level, error: unknown): boolean {
    if (relative === '' || errorCode(error) === undefined) throw error;
    this.unreadable += 1;
    return true;
  }

  #visitAll({ directory, entries, level, isOwn }: Entered, next: Level[]): boolean {
    const rules = this.#rulesIn({ directory, entries, level });
    const limits = { isDenied: this.#denials.inDirectory(directory.listed), rules, isOwn };
    const before = withSlash(level.relative);
    for (const entry of entries) {
      if (!this.#mayGoOn()) return false;
      const { name, type } = entry;
      const relative = before + name;
      if (this.#isSkipped(entry, relative, limits)) continue;
      this.#course.scanned += 1;
      if (!this.#visit({ name, type, relative, above: level.relative, directory }))
        return this.#stop(this.#course.lookUp() ? 'time' : 'limit');
      if (type === 'directory') next.push({ relative, rules });
    }
    return true;
  }

  #isSkipped({ name, type }: NamedEntry, relative: string, { isDenied, rules, isOwn }: Limits): boolean {
    const isDirectory = type === 'directory';
    if (!isDirectory && isOwn?.(name) === false) return true;
    return this.#isLeftOut(name, relative) || isDenied(name) || rules?.ignores(relative, isDirectory) === true;
  }

  #rulesIn({ directory, entries, level }: Omit<Entered, 'isOwn'>): IgnoreRules | undefined {
    const mayHaveRules = !Array.isArray(entries) || entries.some(({ name }: NamedEntry) => name === '.gitignore');
    return this.#scope.gitignore && mayHaveRules ? IgnoreRules.in(directory, level.relative, level.rules) : level.rules;
  }

  #isLeftOut(name: string, relative: string): boolean {
    const { hidden, gitignore } = this.#scope;
    if (name.startsWith('.') && (!hidden || (gitignore && name === '.git'))) return true;
    return this.#excludes?.(relative, name) === true;
  }

  #mayGoOn(): boolean {
    if (this.#course.isOver) return this.#stop('time');
    return this.#course.scanned < this.#scope.maxScanned || this.#stop('scanned');
  }

  #stop(end: WalkSummary['end']): false {
    this.#end = end;
    return false;
  }
}

/** What comes before the names in a directory. */
function withSlash(relative: string): string {
  return relative === '' ? '' : `${relative}/`;
}

interface Entered {
  readonly directory: HeldDirectory;
  readonly entries: Iterable<NamedEntry>;
  readonly level: Level;
  readonly isOwn: IsOwn | undefined;
}

/** What in one directory is not visited. */
interface Limits {
  readonly isDenied: (name: string) => boolean;
  readonly rules: IgnoreRules | undefined;
  readonly isOwn: IsOwn | undefined;
}

/** Whether one relative path comes before another in the order of a walk. */
export function isBefore(one: string, other: string): boolean {
  const ours = one.split('/');
  const theirs = other.split('/');
  if (ours.length !== theirs.length) return ours.length < theirs.length;
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  return at !== -1 && (ours[at] ?? '') < (theirs[at] ?? '');
}
