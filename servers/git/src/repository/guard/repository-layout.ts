import { isUtf8 } from 'node:buffer';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { unquoteCString } from '../parse/c-string.ts';
import { stampFiles } from './stamp.ts';
import { readRegularFile } from './state-file.ts';

/** The directories of a repository, as real paths. */
export interface RepositoryLayout {
  /** Top of the work tree; for a bare repository, the git directory. */
  readonly top: string;
  /** Whether the repository has no work tree. */
  readonly isBare: boolean;
  readonly gitDir: string;
  /** Git directory that all work trees share; differs from `gitDir` only in a linked work tree. */
  readonly commonDir: string;
}

/** The paths that git uses in addition to the top directory. */
export interface Reach {
  /**
   * Real paths from which git reads objects, references and configuration. All of them must lie inside the roots. Paths that are
   * known to lie in the top directory are omitted.
   */
  readonly externalPaths: readonly string[];
  /** Whether a file of the repository is a pipe or a device. Git would wait forever for such a file. */
  readonly hasEndlessFile: boolean;
  /** The directories and files that were scanned. If one of them changes, the scan must be repeated. */
  readonly watched: readonly string[];
  /** Stamp of the watched paths, taken before the scan. */
  readonly stamp: string;
}

interface Scanned {
  readonly watched: string;
  readonly stamp: string;
  readonly targets: readonly string[];
  /** Whether the directory contains a pipe or a device. */
  readonly hasEndlessFile?: boolean;
}

interface ObjectStores {
  readonly stores: readonly string[];
  /** The root of the file system, which no repository contains, if stores were not examined because of the limit; otherwise empty. */
  readonly beyond: readonly string[];
  readonly looked: readonly Scanned[];
}

/** Maximum number of object stores that are examined: the store of the repository and its alternates. */
const MAX_STORES = 50;

/**
 * Directories that git deletes with all their entries, even through a link. Git itself never creates one of them as a link, so
 * such a link counts as outside the roots.
 */
const NEVER_LINKS = new Set(['worktrees', 'rebase-apply', 'rebase-merge', 'sequencer']);

/**
 * Finds all paths that git uses. A link whose target does not exist counts as external, because the target could be created
 * later.
 */
export async function findReach({ top, isBare, gitDir, commonDir }: RepositoryLayout): Promise<Reach> {
  const { stores, beyond, looked } = await findObjectStores(path.join(commonDir, 'objects'));
  const worktrees = path.join(commonDir, 'worktrees');
  const gitDirs = [...new Set([gitDir, commonDir, ...(await listDirectories(worktrees))])];
  // Names of references are paths. Git writes their logs at the same paths below `logs`, even through links.
  const deep = await Promise.all(gitDirs.flatMap((each) => ['refs', 'logs'].map((name) => listTree(path.join(each, name)))));
  const scanned = [
    ...gitDirs,
    worktrees,
    path.join(commonDir, 'info'),
    ...deep.flat(),
    ...stores.flatMap((store) => [store, path.join(store, 'info'), path.join(store, 'pack')]),
  ];
  const links = await Promise.all([...new Set(scanned)].map(scanDirectory));
  const all = [...looked, ...links];
  const inside = isBare ? top : path.join(top, '.git');
  const known = new Set([top, inside, path.join(inside, 'objects')]);
  const places = new Set([gitDir, commonDir, ...stores, ...beyond, ...links.flatMap(({ targets }) => targets)]);
  return {
    externalPaths: [...places].filter((place) => !known.has(place)),
    hasEndlessFile: links.some(({ hasEndlessFile }) => hasEndlessFile),
    watched: all.map(({ watched }) => watched),
    stamp: all.map(({ stamp }) => stamp).join(''),
  };
}

/** Finds an object store, the stores in its `info/alternates`, and their alternates in turn. */
export async function findObjectStores(objects: string): Promise<ObjectStores> {
  const stores = new Map<string, Scanned>();
  const pending = [objects];
  while (stores.size < MAX_STORES) {
    const store = pending.pop();
    if (store === undefined) break;
    const real = await realpath(store).catch(() => path.resolve(objects, store));
    if (stores.has(real)) continue;
    const watched = path.join(real, 'info/alternates');
    const stamp = stampFiles([watched]);
    const alternates = (await readRegularFile(watched)).toString('latin1');
    const named = alternates.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    stores.set(real, { watched, stamp, targets: named.map((line) => resolveAlternate(real, unquoteCString(line))) });
    pending.push(...(stores.get(real)?.targets ?? []));
  }
  // A store beyond the limit is not examined, so it counts as outside the roots.
  const beyond = pending.length > 0 ? [path.parse(objects).root] : [];
  return { stores: [...stores.keys()], beyond, looked: [...stores.values()] };
}

async function listDirectories(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
}

/** Lists a directory and all directories below it. */
async function listTree(directory: string): Promise<readonly string[]> {
  const trees = await Promise.all((await listDirectories(directory)).map(listTree));
  return [directory, ...trees.flat()];
}

/**
 * Resolves an alternate. A name that is not UTF-8 cannot be resolved and counts as the root of the file system, which no
 * repository contains.
 */
function resolveAlternate(store: string, name: Buffer): string {
  return isUtf8(name) ? path.resolve(store, name.toString('utf8')) : path.parse(store).root;
}

async function scanDirectory(directory: string): Promise<Scanned> {
  const stamp = stampFiles([directory]);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(directory, name));
  const own = await lstat(directory).catch(() => undefined);
  const targets = await Promise.all([...links, ...(own?.isSymbolicLink() === true ? [directory] : [])].map(resolveLink));
  const hasEndlessFile = entries.some((entry) => entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice());
  return { watched: directory, stamp, targets, hasEndlessFile };
}

/** Resolves a link. A broken or forbidden link counts as the root of the file system, which no repository contains. */
async function resolveLink(link: string): Promise<string> {
  const nowhere = path.parse(link).root;
  if (NEVER_LINKS.has(path.basename(link)) || path.basename(path.dirname(link)) === 'worktrees') return nowhere;
  return realpath(link).catch(() => nowhere);
}
