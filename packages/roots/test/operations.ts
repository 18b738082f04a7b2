import { lstatSync, readdirSync, readFileSync, readlinkSync, type Dirent } from 'node:fs';
import path from 'node:path';

import { expect } from 'vitest';

import type { OpenDirectory, PathEntry, Roots } from '../src/index.ts';
import { getOutcome, type RootFixture } from './fixtures.ts';

export type Operation =
  | 'find'
  | 'read'
  | 'list'
  | 'write'
  | 'move'
  | 'move to'
  | 'delete'
  | 'make directory'
  | 'make directories';

/** The outcome of every operation: `allowed`, or the code of its error. */
export type Outcomes = Readonly<Record<Operation, string>>;

/** All operations on a path, as tools perform them. Each resolves after it has finished and closed all handles. */
export const OPERATIONS: Readonly<Record<Operation, (roots: Roots, given: string) => Promise<unknown>>> = {
  find: (roots, given) => roots.resolveExisting(given),
  read: readFile,
  list: async (roots, given) => {
    await using directory = await roots.openDirectory(given);
    expect(await directory.isEmpty()).toBe((await listNames(directory)).length === 0);
  },
  write: async (roots, given) => {
    await using place = await roots.findEntryToWrite(given);
    await writeIn(place.directory, place.name, 'written');
  },
  move: async (roots, given) => {
    await using from = await roots.findEntryToMove(given);
    await using to = await roots.findEntryToMove('moved');
    await from.directory.rename(from.name, to.directory, to.name);
  },
  'move to': async (roots, given) => {
    await using to = await roots.findEntryToMove(given);
    await using from = await roots.openDirectory('.');
    await writeIn(from, '.moved', 'moved');
    await from.renameNew('.moved', to.directory, to.name);
  },
  delete: async (roots, given) => {
    await using place = await roots.findEntryToMove(given);
    await remove(place);
  },
  'make directory': async (roots, given) => {
    await using place = await roots.findEntryToMove(given);
    await place.directory.makeDirectory(place.name);
  },
  'make directories': async (roots, given) => {
    await using made = await roots.makeDirectories(given);
    await listNames(made);
  },
};

type EntryKind =
  | 'file'
  | 'directory'
  | 'nothing'
  | 'nothing in nothing'
  | 'nothing in a file'
  | 'nothing in nothing in a file'
  | 'outside'
  | 'link out'
  | 'no path';

/** The outcome of every operation, by the kind of entry. */
export const OUTCOMES: Readonly<Record<EntryKind, Outcomes>> = {
  file: outcomes('allowed', {
    list: 'NOT_DIRECTORY',
    'move to': 'ALREADY_EXISTS',
    'make directory': 'ALREADY_EXISTS',
    'make directories': 'NOT_DIRECTORY',
  }),
  directory: outcomes('allowed', {
    read: 'IS_DIRECTORY',
    write: 'IS_DIRECTORY',
    'move to': 'ALREADY_EXISTS',
    delete: 'NOT_EMPTY',
    'make directory': 'ALREADY_EXISTS',
  }),
  nothing: outcomes('NOT_FOUND', {
    write: 'allowed',
    'move to': 'allowed',
    'make directory': 'allowed',
    'make directories': 'allowed',
  }),
  'nothing in a file': outcomes('NOT_DIRECTORY', { find: 'NOT_FOUND', read: 'NOT_FOUND', list: 'NOT_FOUND' }),
  'nothing in nothing in a file': outcomes('NOT_FOUND', { 'make directories': 'NOT_DIRECTORY' }),
  'nothing in nothing': outcomes('NOT_FOUND', { 'make directories': 'allowed' }),
  outside: outcomes('PATH_OUTSIDE_ROOTS'),
  'link out': withLinkOutcomes(outcomes('PATH_OUTSIDE_ROOTS')),
  'no path': outcomes('INVALID_PATH'),
};

export function outcomes(others: string, particular: Partial<Outcomes> = {}): Outcomes {
  const all = Object.keys(OPERATIONS).map((operation) => [operation, others]);
  return { ...(Object.fromEntries(all) as Outcomes), ...particular };
}

/** Returns the outcomes for a link. A link may be moved and deleted whatever its target is, and no new entry takes its name. */
export function withLinkOutcomes(target: Outcomes): Outcomes {
  return { ...target, move: 'allowed', 'move to': 'ALREADY_EXISTS', delete: 'allowed', 'make directory': 'ALREADY_EXISTS' };
}

/** Runs every operation on a path, with a new fixture after each success, and checks that nothing beside the root changes. */
export async function collectOutcomes(
  prepare: () => Promise<RootFixture>,
  given: (ground: RootFixture) => string,
): Promise<Outcomes> {
  const found: Record<string, string> = {};
  let at: RootFixture | undefined;
  for (const [operation, operate] of Object.entries(OPERATIONS)) {
    at ??= await prepare();
    const before = snapshotBesideRoot(at);
    found[operation] = await getOutcome(operate(at.roots, given(at)));
    expect(snapshotBesideRoot(at), operation).toEqual(before);
    if (found[operation] === 'allowed') at = undefined;
  }
  return { ...outcomes(''), ...found };
}

/** Returns a snapshot of all entries in the temporary directory of the test, except for the root. */
export function snapshotBesideRoot({ base, root }: RootFixture): Readonly<Record<string, string>> {
  return snapshotTree(base, root);
}

/**
 * Returns the type, permissions, inode, modification time and content of each entry below a directory. The entry `except` and all
 * entries below it are left out.
 */
export function snapshotTree(directory: string, except?: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const entire = path.join(directory, entry.name);
    if (entire === except) continue;
    const { mode, ino, mtimeNs } = lstatSync(entire, { bigint: true });
    found[entire] = `${mode.toString(8)} ${ino} ${mtimeNs} ${readContent(entire, entry)}`;
    if (entry.isDirectory()) Object.assign(found, snapshotTree(entire, except));
  }
  return found;
}

function readContent(entire: string, entry: Dirent): string {
  if (entry.isSymbolicLink()) return readlinkSync(entire);
  return entry.isFile() ? readFileSync(entire, 'utf8') : '';
}

export async function listNames(directory: OpenDirectory): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of directory.entries()) names.push(name);
  return names.sort();
}

/** Returns the first 1,024 bytes of a file as text. */
export async function readFile(roots: Roots, given: string): Promise<string> {
  await using file = await roots.openFile(given);
  return (await file.readAt(0, 1024)).toString();
}

/** Writes a file like a tool: under a temporary name until it is complete. */
export async function writeIn(directory: OpenDirectory, name: string, text: string): Promise<void> {
  await using file = await directory.newFile();
  await file.write(Buffer.from(text));
  await file.saveAs(name);
}

async function remove({ directory, name, facts }: PathEntry): Promise<void> {
  await (facts?.isDirectory() === true ? directory.removeDirectory(name) : directory.unlink(name));
}
