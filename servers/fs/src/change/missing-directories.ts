import path from 'node:path';

import { parsePath, type Roots } from '@org/mcp-roots';

import type { PutStep } from '../journal/change.ts';
import { DEFAULT_MODE, NONE, type Snapshot } from '../journal/snapshot.ts';
import type { ChangeableFiles } from './change-support.ts';

/** The missing directories of a path. */
export interface MissingDirectories {
  /** Path of the topmost missing directory, as clients see it. */
  readonly path: string;
  /** Names of the missing directories below `path`, from the top down. */
  readonly below: readonly string[];
}

/** Creates a directory with its missing parents. Returns the directories that were missing, or `undefined` if none was. */
export async function createParents(files: ChangeableFiles, given: string): Promise<MissingDirectories | undefined> {
  const missing = await findMissingDirectories(files, given);
  await removeIfFailed(files, missing, async () => (await files.roots.makeDirectories(given))[Symbol.asyncDispose]());
  return missing;
}

/** Runs `work`. If `work` fails, removes those of the `missing` directories that exist now and are empty. */
export async function removeIfFailed<Value>(
  files: ChangeableFiles,
  missing: MissingDirectories | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (missing !== undefined) await removeDirectories(files, missing);
    throw error;
  }
}

/** Removes directories, the deepest first. Skips each directory that cannot be removed, for example because it is not empty. */
async function removeDirectories({ roots }: ChangeableFiles, { path: top, below }: MissingDirectories): Promise<void> {
  const made = below.reduce<readonly string[]>((above, name) => [path.join(above[0] ?? '', name), ...above], [top]);
  for (const directory of made) await removeEmpty(roots, directory).catch(() => undefined);
}

async function removeEmpty(roots: Roots, directory: string): Promise<void> {
  await using above = await roots.openDirectory(path.dirname(directory));
  await above.removeDirectory(path.basename(directory));
}

export async function findMissingDirectories(files: ChangeableFiles, given: string): Promise<MissingDirectories | undefined> {
  const names: string[] = [];
  for (let current = path.normalize(parsePath(given)); ; current = path.dirname(current)) {
    const above = await readShownPath(files, current);
    const [first, ...below] = names;
    if (above !== undefined) return first === undefined ? undefined : { path: path.join(above, first), below };
    names.unshift(path.basename(current));
  }
}

/** Returns the journal step for the creation of missing directories. */
export function createDirectoriesStep(missing: MissingDirectories): PutStep {
  return createStep(missing, createDirectorySnapshot([]));
}

/**
 * Returns the journal step for the creation of missing directories and of a file in the deepest one. An undo of this step
 * leaves other files in the directories.
 */
export function createFileStep(missing: MissingDirectories, name: string, content: Snapshot): PutStep {
  return { ...createStep(missing, createDirectorySnapshot([[name, content]])), partial: true };
}

function createStep({ path: top, below }: MissingDirectories, innermost: Snapshot): PutStep {
  const after = below.reduceRight<Snapshot>((inner, own) => createDirectorySnapshot([[own, inner]]), innermost);
  return { kind: 'put', path: top, before: NONE, after };
}

function createDirectorySnapshot(entries: readonly (readonly [string, Snapshot])[]): Snapshot {
  return { type: 'directory', mode: DEFAULT_MODE, entries };
}

async function readShownPath(files: ChangeableFiles, given: string): Promise<string | undefined> {
  await using directory = await files.roots.openDirectoryIfExists(given);
  return directory?.shown;
}
