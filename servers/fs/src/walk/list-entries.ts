import fs from 'node:fs';
import path from 'node:path';

import type { WorkerScope } from '@org/mcp-roots';
import { isLinkTextInside, walkDenials, type WalkDenials } from '@org/mcp-roots/threads';

import { readFacts } from './entry-facts.ts';
import { compileGlobOrWord } from './globs.ts';
import { IgnoreRules, type IgnoreFile } from './ignore-rules.ts';
import type { JobControl } from './job-control.ts';
import { packListed, type Listed, type ListedBatch } from './listed-batch.ts';
import { createComparison, needsFacts, type SortKey } from './order.ts';
import { readOneByOne, type NamedEntry } from './read-entries.ts';
import { TopK } from './top-k.ts';
import { openWalkDirectory, type WalkDirectory } from './walk-directory.ts';

export interface ListQuery {
  readonly matches: string | undefined;
  readonly hidden: boolean;
  readonly ignored: readonly IgnoreFile[] | undefined;
  readonly sortBy: SortKey;
  readonly offset: number;
  readonly limit: number;
  readonly maxScanned: number;
  /** Whether each entry has its size and time. Without them, the list takes a fifth of the time. */
  readonly facts: boolean;
  /** Whether the sizes of all entries are added up. */
  readonly totals: boolean;
}

export interface ListSummary {
  readonly total: number;
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  readonly isComplete: boolean;
}

/** Reports a page of a directory, with facts about the entries if the query requires them. Returns totals of the directory. */
export function listEntries(workerScope: WorkerScope, query: ListQuery, control: JobControl<ListedBatch>): ListSummary {
  return new Listing(workerScope, query, control).run();
}

/** Number of entries per batch. */
const BATCH = 1024;

/**
 * Lists a page of a directory. Keeps in memory at most twice the number of entries up to the end of the page, however large the
 * directory is.
 */
class Listing {
  readonly #workerScope: WorkerScope;
  readonly #query: ListQuery;
  readonly #control: JobControl<ListedBatch>;
  readonly #directory: WalkDirectory;
  readonly #denials: WalkDenials;
  readonly #first: TopK<Listed>;
  readonly #sums = { files: 0, directories: 0, bytes: 0 };
  #shown: Listed[] = [];

  constructor(workerScope: WorkerScope, query: ListQuery, control: JobControl<ListedBatch>) {
    this.#workerScope = workerScope;
    this.#query = query;
    this.#control = control;
    this.#directory = openWalkDirectory(workerScope, '');
    this.#denials = walkDenials(workerScope.denials);
    const order = createComparison<Listed>(query.sortBy, ({ name }) => name);
    this.#first = new TopK(query.offset + query.limit, order, (entry) => this.#skip(entry));
  }

  run(): ListSummary {
    const isRead = this.#read();
    for (const [index, entry] of this.#first.sorted().entries()) {
      if (index < this.#query.offset) this.#skip(entry);
      else this.#show(entry);
    }
    this.#flush();
    const { files, directories, bytes } = this.#sums;
    return { total: files + directories, files, directories, bytes, isComplete: isRead && !this.#control.checkNow() };
  }

  /** Reads the directory, up to `maxScanned` entries. Returns whether the directory was read to its end. */
  #read(): boolean {
    const isFiltered = this.#createFilter();
    const limit = this.#query.maxScanned;
    for (const entry of readOneByOne(this.#directory, this.#control, limit + 1)) {
      if (this.#control.scanned === limit) return false;
      this.#control.scanned += 1;
      if (!isFiltered(entry)) this.#add(entry);
    }
    return !this.#control.isOver;
  }

  #createFilter(): (entry: NamedEntry) => boolean {
    const { hidden, matches, ignored } = this.#query;
    const isDenied = this.#denials.inDirectory(this.#directory.listed);
    const isWanted = matches === undefined ? undefined : compileGlobOrWord(matches);
    const rules = ignored && IgnoreRules.in(this.#directory, '', IgnoreRules.above(ignored));
    return ({ name, type }) =>
      (!hidden && name.startsWith('.')) ||
      isDenied(name) ||
      isWanted?.(name) === false ||
      rules?.ignores(name, type === 'directory') === true;
  }

  #add(entry: Listed): void {
    const known = needsFacts(this.#query.sortBy) ? this.#withFacts(entry) : entry;
    if (known === undefined) return;
    if (known.type === 'directory') this.#sums.directories += 1;
    else this.#sums.files += 1;
    this.#first.add(known);
  }

  /** Adds the size of an entry on another page to the totals if the query requires them. */
  #skip(entry: Listed): void {
    if (this.#query.totals) this.#sums.bytes += this.#withFacts(entry)?.size ?? 0;
  }

  #show(entry: Listed): void {
    const known = this.#query.facts ? this.#withFacts(entry) : entry;
    if (known === undefined) return;
    if (this.#query.facts) this.#sums.bytes += known.size ?? 0;
    if (this.#shown.push(known.type === 'symlink' ? this.#withTarget(known) : known) === BATCH) this.#flush();
  }

  #flush(): void {
    if (this.#shown.length > 0) this.#control.found(packListed(this.#shown));
    this.#control.flush();
    this.#shown = [];
  }

  /** Adds the text of a link if the text and its target are inside the allowed directories, and the target is not denied. */
  #withTarget(entry: Listed): Listed {
    const { directories } = this.#workerScope;
    const { way, listed } = this.#directory;
    try {
      const target = fs.readlinkSync(`${way}/${entry.name}`);
      const destination = isLinkTextInside(target, listed, directories) ? resolveTarget(listed, target) : undefined;
      if (destination === undefined || this.#denials.isDenied(destination)) return entry;
      return directories.some(({ realPath }) => isBelow(realPath, destination)) ? { ...entry, target } : entry;
    } catch {
      return entry;
    }
  }

  /** Returns the entry with facts from `lstat`, or `undefined` if the entry was removed or the time is over. */
  #withFacts(entry: Listed): Listed | undefined {
    if (entry.mtimeMs !== undefined) return entry;
    if (this.#control.isOver) return undefined;
    return readFacts(this.#directory.way, entry);
  }
}

/**
 * Resolves the target of a link. For a missing target, resolves its parent directory and appends the name. Returns `undefined` if
 * the target is a broken link, because the result must not reveal whether a file outside exists.
 */
function resolveTarget(directory: string, target: string): string | undefined {
  const next = path.resolve(directory, target);
  try {
    return fs.realpathSync.native(next);
  } catch {
    if (fs.lstatSync(next, { throwIfNoEntry: false }) !== undefined) return undefined;
    return path.join(fs.realpathSync.native(path.dirname(next)), path.basename(next));
  }
}

function isBelow(directory: string, absolute: string): boolean {
  return absolute === directory || absolute.startsWith(directory.endsWith(path.sep) ? directory : directory + path.sep);
}
