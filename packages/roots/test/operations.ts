import { lstatSync, readdirSync, readFileSync, readlinkSync, type Dirent } from 'node:fs';
import path from 'node:path';

import { expect } from 'vitest';

import type { OpenDirectory, Place, Roots } from '../src/index.ts';
import { outcome, type Ground } from './ground.ts';

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

/** What every operation comes to: `allowed`, or the code of its error. */
export type Outcomes = Readonly<Record<Operation, string>>;

/** Everything that can be done with a path, as tools do it; each resolves once it is done and all is closed. */
export const OPERATIONS: Readonly<Record<Operation, (roots: Roots, given: string) => Promise<unknown>>> = {
  find: (roots, given) => roots.existing(given),
  read: readFile,
  list: async (roots, given) => {
    await using directory = await roots.openDirectory(given);
    await namesIn(directory);
  },
  write: async (roots, given) => {
    await using place = await roots.placeToWrite(given);
    await writeIn(place.directory, place.name, 'written');
  },
  move: async (roots, given) => {
    await using from = await roots.placeToMove(given);
    await using to = await roots.placeToMove('moved');
    await from.directory.rename(from.name, to.directory, to.name);
  },
  'move to': async (roots, given) => {
    await using to = await roots.placeToMove(given);
    await using from = await roots.openDirectory('.');
    await writeIn(from, '.moved', 'moved');
    await from.renameNew('.moved', to.directory, to.name);
  },
  delete: async (roots, given) => {
    await using place = await roots.placeToMove(given);
    await remove(place);
  },
  'make directory': async (roots, given) => {
    await using place = await roots.placeToMove(given);
    await place.directory.makeDirectory(place.name);
  },
  'make directories': async (roots, given) => {
    await using made = await roots.makeDirectories(given);
    await namesIn(made);
  },
};

type Met =
  | 'file'
  | 'directory'
  | 'nothing'
  | 'nothing in nothing'
  | 'nothing in a file'
  | 'nothing in nothing in a file'
  | 'outside'
  | 'link out'
  | 'no path';

/** What every operation comes to, by what is there. */
export const MEETS: Readonly<Record<Met, Outcomes>> = {
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
  'link out': ofLink(outcomes('PATH_OUTSIDE_ROOTS')),
  'no path': outcomes('INVALID_PATH'),
};

export function outcomes(others: string, particular: Partial<Outcomes> = {}): Outcomes {
  const all = Object.keys(OPERATIONS).map((operation) => [operation, others]);
  return { ...(Object.fromEntries(all) as Outcomes), ...particular };
}

/** A link itself may be moved and deleted wherever it leads, and nothing takes its name. */
export function ofLink(target: Outcomes): Outcomes {
  return { ...target, move: 'allowed', 'move to': 'ALREADY_EXISTS', delete: 'allowed', 'make directory': 'ALREADY_EXISTS' };
}

/** Does everything with a path, on a new ground after each success, and sees that nothing beside the root changes by it. */
export async function outcomesOf(prepare: () => Promise<Ground>, given: (ground: Ground) => string): Promise<Outcomes> {
  const found: Record<string, string> = {};
  let at: Ground | undefined;
  for (const [operation, operate] of Object.entries(OPERATIONS)) {
    at ??= await prepare();
    const before = besides(at);
    found[operation] = await outcome(operate(at.roots, given(at)));
    expect(besides(at), operation).toEqual(before);
    if (found[operation] === 'allowed') at = undefined;
  }
  return { ...outcomes(''), ...found };
}

/** Everything of a ground that is not in its root, with what would tell that it was touched. */
export function besides({ base, root }: Ground): Readonly<Record<string, string>> {
  return treeOf(base, root);
}

/** What lies below a directory: kind and permissions, inode, time and content of each. */
export function treeOf(directory: string, except?: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const entire = path.join(directory, entry.name);
    if (entire === except) continue;
    const { mode, ino, mtimeNs } = lstatSync(entire, { bigint: true });
    found[entire] = `${mode.toString(8)} ${ino} ${mtimeNs} ${contentOf(entire, entry)}`;
    if (entry.isDirectory()) Object.assign(found, treeOf(entire, except));
  }
  return found;
}

function contentOf(entire: string, entry: Dirent): string {
  if (entry.isSymbolicLink()) return readlinkSync(entire);
  return entry.isFile() ? readFileSync(entire, 'utf8') : '';
}

export async function namesIn(directory: OpenDirectory): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of directory.entries()) names.push(name);
  return names.sort();
}

/** The text of a file of at most 1 kB. */
export async function readFile(roots: Roots, given: string): Promise<string> {
  await using file = await roots.openFile(given);
  return (await file.readAt(0, 1024)).toString();
}

/** Writes a file as a tool does: under a name of its own, until it is complete. */
export async function writeIn(directory: OpenDirectory, name: string, text: string): Promise<void> {
  await using file = await directory.newFile();
  await file.write(Buffer.from(text));
  await file.saveAs(name);
}

async function remove({ directory, name, facts }: Place): Promise<void> {
  await (facts?.isDirectory() === true ? directory.removeDirectory(name) : directory.unlink(name));
}
