import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

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

/** As many stores as alternates may lead to, one after the other. */
const MAX_STORES = 50;

/**
 * Every place that git reads objects, references and configuration from, by its real path: all of them have to be inside.
 *
 * A link whose target is not there counts with its target: it could appear later.
 */
export async function placesOf({ top, gitDir, commonDir }: Ground): Promise<readonly string[]> {
  const stores = await objectStores(path.join(commonDir, 'objects'));
  const scanned = [
    gitDir,
    commonDir,
    ...['info', 'refs', 'refs/heads', 'refs/tags', 'refs/remotes', 'logs'].map((name) => path.join(commonDir, name)),
    ...stores.flatMap((store) => [store, path.join(store, 'info'), path.join(store, 'pack')]),
  ];
  const links = await Promise.all(scanned.map(linkTargets));
  return [...new Set([top, gitDir, commonDir, ...stores, ...links.flat()])];
}

/** Files and directories whose change makes what was found out of date. */
export function watchedPlaces({ top, gitDir, commonDir }: Ground): readonly string[] {
  const objects = path.join(commonDir, 'objects');
  return [
    path.join(top, '.git'),
    gitDir,
    path.join(gitDir, 'commondir'),
    path.join(gitDir, 'config.worktree'),
    commonDir,
    path.join(commonDir, 'config'),
    path.join(commonDir, 'info'),
    path.join(commonDir, 'refs'),
    path.join(commonDir, 'refs/heads'),
    objects,
    path.join(objects, 'info'),
    path.join(objects, 'info/alternates'),
    path.join(objects, 'pack'),
  ];
}

/** The store itself and those its `info/alternates` name, which name others in turn. */
async function objectStores(objects: string): Promise<readonly string[]> {
  const stores = new Set<string>();
  const pending = [objects];
  for (let store = pending.pop(); store !== undefined && stores.size < MAX_STORES; store = pending.pop()) {
    const real = await realpath(store).catch(() => path.resolve(objects, store ?? ''));
    if (stores.has(real)) continue;
    stores.add(real);
    const alternates = await readFile(path.join(real, 'info/alternates'), 'utf8').catch(() => '');
    const named = alternates.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    pending.push(...named.map((line) => path.resolve(real, unquoted(line))));
  }
  return [...stores];
}

/** git writes a path with special characters as a C string. */
function unquoted(line: string): string {
  return line.startsWith('"') && line.endsWith('"') ? line.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : line;
}

async function linkTargets(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(directory, name));
  const own = await lstat(directory).catch(() => undefined);
  return Promise.all([...links, ...(own?.isSymbolicLink() === true ? [directory] : [])].map(targetOf));
}

/** Where a link leads; one that leads nowhere is taken for the root of the file system, which no repository contains. */
function targetOf(link: string): Promise<string> {
  return realpath(link).catch(() => path.parse(link).root);
}
