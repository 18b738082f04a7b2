import { isUtf8 } from 'node:buffer';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { bytesOfCString } from './parse/c-string.ts';
import { stampOf } from './stamp.ts';
import { readRegular } from './state-file.ts';

/** The directories a repository is made of, by their real paths. */
export interface Ground {
  /** Top of the work tree; of a bare repository, the git directory. */
  readonly top: string;
  /** There is no work tree. */
  readonly isBare: boolean;
  readonly gitDir: string;
  /** Shared by all work trees; the git directory itself in a repository that has only one. */
  readonly commonDir: string;
}

/** Where a repository leads to. */
export interface Reach {
  /**
   * Every place that git reads objects, references and configuration from, by its real path: all of them have to be inside. Without
   * the top, and without what is known to lie in it as long as nothing that is watched changes.
   */
  readonly places: readonly string[];
  /** Among its files is a pipe or a device, for which git would wait for ever. */
  readonly waits: boolean;
  /** What was looked through for that; a change of any of it puts it out of date. */
  readonly watched: readonly string[];
  /** Of what is watched, taken before it was looked through. */
  readonly stamp: string;
}

interface Looked {
  readonly watched: string;
  readonly stamp: string;
  readonly leadsTo: readonly string[];
  /** A pipe or a device is in it. */
  readonly waits?: boolean;
}

interface Stores {
  readonly stores: readonly string[];
  /** Where there are more. */
  readonly beyond: readonly string[];
  readonly looked: readonly Looked[];
}

/** As many stores as alternates may lead to, one after the other. */
const MAX_STORES = 50;

/** What git deletes with all that is in it, and would also where a link leads: nobody makes one of these. */
const NEVER_LINKS = new Set(['worktrees', 'rebase-apply', 'rebase-merge', 'sequencer']);

/** A link whose target is not there counts with its target: it could appear later. */
export async function reachOf({ top, isBare, gitDir, commonDir }: Ground): Promise<Reach> {
  const { stores, beyond, looked } = await objectStores(path.join(commonDir, 'objects'));
  const worktrees = path.join(commonDir, 'worktrees');
  const gitDirs = [...new Set([gitDir, commonDir, ...(await directoriesIn(worktrees))])];
  // Names of references are paths, and so are those of their logs, to which git writes wherever a link leads.
  const deep = await Promise.all(gitDirs.flatMap((each) => ['refs', 'logs'].map((name) => treeOf(path.join(each, name)))));
  const scanned = [
    ...gitDirs,
    worktrees,
    path.join(commonDir, 'info'),
    ...deep.flat(),
    ...stores.flatMap((store) => [store, path.join(store, 'info'), path.join(store, 'pack')]),
  ];
  const links = await Promise.all([...new Set(scanned)].map(lookThrough));
  const all = [...looked, ...links];
  const inside = isBare ? top : path.join(top, '.git');
  const known = new Set([top, inside, path.join(inside, 'objects')]);
  const places = new Set([gitDir, commonDir, ...stores, ...beyond, ...links.flatMap(({ leadsTo }) => leadsTo)]);
  return {
    places: [...places].filter((place) => !known.has(place)),
    waits: links.some(({ waits }) => waits),
    watched: all.map(({ watched }) => watched),
    stamp: all.map(({ stamp }) => stamp).join(''),
  };
}

/** The store itself and those its `info/alternates` name, which name others in turn. */
async function objectStores(objects: string): Promise<Stores> {
  const stores = new Map<string, Looked>();
  const pending = [objects];
  for (let store = pending.pop(); store !== undefined && stores.size < MAX_STORES; store = pending.pop()) {
    const real = await realpath(store).catch(() => path.resolve(objects, store ?? ''));
    if (stores.has(real)) continue;
    const watched = path.join(real, 'info/alternates');
    const stamp = stampOf([watched]);
    const alternates = (await readRegular(watched)).toString('latin1');
    const named = alternates.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    stores.set(real, { watched, stamp, leadsTo: named.map((line) => alternateOf(real, bytesOfCString(line))) });
    pending.push(...(stores.get(real)?.leadsTo ?? []));
  }
  // One that is not looked at any more may be anywhere.
  const beyond = pending.length > 0 ? [path.parse(objects).root] : [];
  return { stores: [...stores.keys()], beyond, looked: [...stores.values()] };
}

async function directoriesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
}

/** A directory and all below it. */
async function treeOf(directory: string): Promise<readonly string[]> {
  const trees = await Promise.all((await directoriesIn(directory)).map(treeOf));
  return [directory, ...trees.flat()];
}

/** A name that is not UTF-8 cannot be followed: it is taken for the root of the file system, which no repository contains. */
function alternateOf(store: string, name: Buffer): string {
  return isUtf8(name) ? path.resolve(store, name.toString('utf8')) : path.parse(store).root;
}

async function lookThrough(directory: string): Promise<Looked> {
  const stamp = stampOf([directory]);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(directory, name));
  const own = await lstat(directory).catch(() => undefined);
  const leadsTo = await Promise.all([...links, ...(own?.isSymbolicLink() === true ? [directory] : [])].map(targetOf));
  const waits = entries.some((entry) => entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice());
  return { watched: directory, stamp, leadsTo, waits };
}

/** Where a link leads; one that leads nowhere, or must be none, is taken for the root of the file system, which no repository contains. */
async function targetOf(link: string): Promise<string> {
  const nowhere = path.parse(link).root;
  if (NEVER_LINKS.has(path.basename(link)) || path.basename(path.dirname(link)) === 'worktrees') return nowhere;
  return realpath(link).catch(() => nowhere);
}
