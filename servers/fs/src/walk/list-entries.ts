import fs from 'node:fs';
import path from 'node:path';

import type { ThreadGround } from '@org/mcp-roots';
import { namesOnlyInside, walkDenials, type WalkDenials } from '@org/mcp-roots/threads';

import { entryTypeOf } from '../entry-type.ts';
import type { Course } from './course.ts';
import { Foremost } from './foremost.ts';
import { matcherOf } from './globs.ts';
import { holdDirectory, type HeldDirectory } from './held-directory.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { Listed, ListQuery, ListSummary } from './job.ts';
import { needsFacts, orderBy } from './order.ts';
import { readOneByOne, type NamedEntry } from './read-entries.ts';

/** Lists one directory: a page of it, with what is known of each entry, and how much there is in all. */
export function listEntries(ground: ThreadGround, query: ListQuery, course: Course<Listed>): ListSummary {
  return new Listing(ground, query, course).run();
}

/** Holds no more than what comes first in the order that is asked for, however much is in the directory. */
class Listing {
  readonly #ground: ThreadGround;
  readonly #query: ListQuery;
  readonly #course: Course<Listed>;
  readonly #directory: HeldDirectory;
  readonly #denials: WalkDenials;
  readonly #first: Foremost<Listed>;
  readonly #sums = { files: 0, directories: 0, bytes: 0 };

  constructor(ground: ThreadGround, query: ListQuery, course: Course<Listed>) {
    this.#ground = ground;
    this.#query = query;
    this.#course = course;
    this.#directory = holdDirectory(ground, '');
    this.#denials = walkDenials(ground.denials);
    const order = orderBy<Listed>(query.sortBy, ({ name }) => name);
    this.#first = new Foremost(query.offset + query.limit, order, (entry) => this.#leave(entry));
  }

  run(): ListSummary {
    const isRead = this.#read();
    for (const [index, entry] of this.#first.sorted().entries()) {
      if (index < this.#query.offset) this.#leave(entry);
      else this.#show(entry);
    }
    const { files, directories, bytes } = this.#sums;
    return { total: files + directories, files, directories, bytes, isComplete: isRead && !this.#course.lookUp() };
  }

  /** Whether it was read to its end. */
  #read(): boolean {
    const isLeftOut = this.#leftOut();
    const most = this.#query.maxScanned;
    for (const entry of readOneByOne(this.#directory, this.#course, most + 1)) {
      if (this.#course.scanned === most) return false;
      this.#course.scanned += 1;
      if (!isLeftOut(entry)) this.#add(entry);
    }
    return !this.#course.isOver;
  }

  #leftOut(): (entry: NamedEntry) => boolean {
    const { hidden, matches, ignored } = this.#query;
    const isDenied = this.#denials.inDirectory(this.#directory.listed);
    const isWanted = matches === undefined ? undefined : matcherOf(matches);
    const rules = ignored && IgnoreRules.in(this.#directory, '', IgnoreRules.above(ignored));
    return ({ name, type }) =>
      (!hidden && name.startsWith('.')) ||
      isDenied(name) ||
      isWanted?.(name) === false ||
      rules?.ignores(name, type === 'directory') === true;
  }

  #add(entry: Listed): void {
    const known = needsFacts(this.#query.sortBy) ? this.#known(entry) : entry;
    if (known === undefined) return;
    if (known.type === 'directory') this.#sums.directories += 1;
    else this.#sums.files += 1;
    this.#first.add(known);
  }

  /** What is on another page counts where all is added up. */
  #leave(entry: Listed): void {
    if (this.#query.totals) this.#sums.bytes += this.#known(entry)?.size ?? 0;
  }

  #show(entry: Listed): void {
    const known = this.#known(entry);
    if (known === undefined) return;
    this.#sums.bytes += known.size ?? 0;
    this.#course.found(known.type === 'symlink' ? this.#withTarget(known) : known);
  }

  /** Adds the text of a link if its text and its target are inside the directories and not denied. */
  #withTarget(entry: Listed): Listed {
    const { directories } = this.#ground;
    const { way, listed } = this.#directory;
    try {
      const target = fs.readlinkSync(`${way}/${entry.name}`);
      const destination = namesOnlyInside(target, listed, directories) ? destinationOf(listed, target) : undefined;
      if (destination === undefined || this.#denials.isDenied(destination)) return entry;
      return directories.some(({ realPath }) => isBelow(realPath, destination)) ? { ...entry, target } : entry;
    } catch {
      return entry;
    }
  }

  /** What vanished meanwhile is left out; so is what comes after the time was over. */
  #known(entry: Listed): Listed | undefined {
    if (entry.mtimeMs !== undefined) return entry;
    if (this.#course.isOver) return undefined;
    const facts = fs.lstatSync(`${this.#directory.way}/${entry.name}`, { throwIfNoEntry: false });
    if (facts === undefined) return undefined;
    const { name } = entry;
    const { mtimeMs } = facts;
    const type = entryTypeOf(facts);
    return type === 'file' ? { name, type, mtimeMs, size: facts.size } : { name, type, mtimeMs };
  }
}

/**
 * Resolves the target of a link. For a missing target, resolves its parent directory and appends the name. Returns `undefined` if
 * the target is a broken link, because the result must not reveal whether a file outside exists.
 */
function destinationOf(directory: string, target: string): string | undefined {
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
