import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';

import type { Files } from '../files.ts';
import type { PutStep } from '../journal/change.ts';
import { NONE, type Snapshot } from '../journal/snapshot.ts';

/** What a directory has that was just made; undoing needs to know only that it was not there. */
const MODE = 0o777;

/** Directories on a path that are not there. */
export interface MissingDirectories {
  /** The topmost one, as clients see it. */
  readonly path: string;
  /** Those in it, each in the one before. */
  readonly below: readonly string[];
}

/** Makes a directory with all that lead to it, and tells what was missing; `undefined` if nothing was. */
export async function makeParents(files: Files, given: string): Promise<MissingDirectories | undefined> {
  const missing = await missingDirectories(files, given);
  await orUnmade(files, missing, async () => (await files.roots.makeDirectories(given))[Symbol.asyncDispose]());
  return missing;
}

/** Does what directories were made for; where it fails they go again, unless something has come into them. */
export async function orUnmade<Value>(
  files: Files,
  missing: MissingDirectories | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (missing !== undefined) await unmake(files, missing);
    throw error;
  }
}

/** From the innermost on; one that is not there, or not empty, stays as it is. */
async function unmake({ roots }: Files, { path: top, below }: MissingDirectories): Promise<void> {
  const made = below.reduce<readonly string[]>((above, name) => [path.join(above[0] ?? '', name), ...above], [top]);
  for (const directory of made) await removeEmpty(roots, directory).catch(() => undefined);
}

async function removeEmpty(roots: Files['roots'], directory: string): Promise<void> {
  await using above = await roots.openDirectory(path.dirname(directory));
  await above.removeDirectory(path.basename(directory));
}

export async function missingDirectories(files: Files, given: string): Promise<MissingDirectories | undefined> {
  const names: string[] = [];
  for (let current = path.normalize(given); ; current = path.dirname(current)) {
    const above = await shownPath(files, current);
    const [first, ...below] = names;
    if (above !== undefined) return first === undefined ? undefined : { path: path.join(above, first), below };
    names.unshift(path.basename(current));
  }
}

/** The step that makes missing directories, with what comes into the last of them if anything does. */
export function putOf(missing: MissingDirectories, name?: string, content?: Snapshot): PutStep {
  const innermost = directoryOf(name === undefined || content === undefined ? [] : [[name, content]]);
  const after = missing.below.reduceRight<Snapshot>((inner, own) => directoryOf([[own, inner]]), innermost);
  return { kind: 'put', path: missing.path, before: NONE, after };
}

function directoryOf(entries: readonly (readonly [string, Snapshot])[]): Snapshot {
  return { type: 'directory', mode: MODE, entries };
}

async function shownPath(files: Files, given: string): Promise<string | undefined> {
  try {
    await using directory = await files.roots.openDirectory(given);
    return directory.shown;
  } catch (error) {
    if (ToolError.is(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
